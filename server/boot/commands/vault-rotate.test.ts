import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { verifyMessage } from "viem";
import { afterAll, expect, test } from "vitest";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startLoops } from "#server/testing/load.ts";
import { createWallet, PLAIN, send, startSending, transactionWith } from "#server/testing/transactions.ts";
import { createWebhook } from "#server/testing/webhooks.ts";
import { selectWallets } from "#server/wallets/queries.ts";
import { signerOf } from "#server/wallets/signer.ts";
import { keptVaultKeys } from "../../env/vault-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "vault-rotate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "secrets.json");
const KEY = Buffer.alloc(32, 1).toString("base64");
writeFileSync(file, JSON.stringify({ VAULT_KEYS: KEY }));

const chain = await startTestChain();
const api = await startApi({
  settings: { vault: { keys: keptVaultKeys(file) }, chains: [chain.settings] },
});
const { database, settings } = api.platform;
const { db } = database;
const { key } = await api.createRootKey();

/** Runs a command as an operator does, beside the test's server. */
function start(command: "vault-rotate" | "secrets-reseal") {
  const env = {
    ...process.env,
    DATABASE_URL: api.databaseUrl,
    DATA_DIR: folder,
    BASE_URL: "",
    VAULT_KEYS: "",
    SEALING_KEY: settings.sealingKeys.map((key) => Buffer.from(key).toString("base64")).join(","),
  };
  const script = new URL(`${command}.ts`, import.meta.url).pathname;
  let done: (ended: { code: number | null; stdout: string; stderr: string }) => void;
  const ended = new Promise<Parameters<typeof done>[0]>((resolve) => {
    done = resolve;
  });
  const child = execFile(process.execPath, [script], { env }, (_, stdout, stderr) =>
    done({ code: child.exitCode, stdout, stderr }),
  );
  return { child, ended };
}

const rotate = () => start("vault-rotate");

const makeWallet = async () =>
  (await api.send("POST", "/v1/wallets", { key, body: { label: "Rotated" } })).body.wallet.id;

/** Returns the number of wallets of each key-encryption key, in the order of the file. */
async function spread() {
  const rows = await db.select({ kekId: wallets.kekId }).from(wallets);
  const current = api.platform.vault.current();
  return { current: rows.filter(({ kekId }) => kekId === current).length, all: rows.length };
}

/** Returns whether every wallet still signs as its address in the running process. */
async function allSign() {
  const rows = await selectWallets(db);
  const verdicts = await Promise.all(
    rows.map(async (row) => {
      const signature = await signerOf(row).signMessage({ message: "Still here" });
      return verifyMessage({ address: row.address, message: "Still here", signature });
    }),
  );
  return verdicts.every(Boolean);
}

test("rewraps every key while the platform runs, resumes after a crash, and loses none", async () => {
  for (let count = 0; count < 12; count++) await makeWallet();
  const first = api.platform.vault.current();
  const [, , , middle] = await db.select().from(wallets).orderBy(asc(wallets.address)).limit(4);

  // The rotation waits for a row that another session has locked, and is killed there.
  const crashed = rotate();
  await db.transaction(async (tx) => {
    await tx
      .select()
      .from(wallets)
      .where(eq(wallets.id, defined(middle?.id)))
      .for("update");
    while ((await spread()).current !== 3 || api.platform.vault.current() === first) await sleep(20);
    crashed.child.kill("SIGKILL");
    await once(crashed.child, "exit");
    // Its last statement is not executed either.
    await tx.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
  });
  expect(await allSign()).toBe(true);
  const second = api.platform.vault.current();
  expect(second).not.toBe(first);

  // A wallet created meanwhile is sealed with the new key at once.
  await makeWallet();
  expect(await spread()).toEqual({ current: 4, all: 13 });
  const finished = await rotate().ended;
  expect(finished).toEqual({
    code: 0,
    stderr: "",
    stdout: `9 keys were rewrapped; all are wrapped by ${second}.\n`,
  });
  expect(await spread()).toEqual({ current: 13, all: 13 });
  expect(await allSign()).toBe(true);

  // The next rotation uses another key, keeps the previous one, and removes unused ones.
  expect(await rotate().ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^13 keys were/) });
  expect(await spread()).toEqual({ current: 13, all: 13 });
  expect(await allSign()).toBe(true);
  expect(api.platform.vault.current()).not.toBe(second);
  const kept = JSON.parse(readFileSync(file, "utf8")).VAULT_KEYS.split(",");
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(KEY);
});

test("confirms each send once while keys are rotated twice and secrets are sealed again", async () => {
  const { key: payer } = await createPayingKey(api, 100_000);
  await createWebhook(api, payer, "https://example.test/hook");
  const engine = await startSending(api);
  const senders = [await createWallet(api, chain, payer), await createWallet(api, chain, payer)];
  const sent = senders.map((): { id: string; walletId: string }[] => []);
  const count = () => sent.flat().length;
  const loops = startLoops(
    senders.map(({ id }, nth) => ({
      pauseMs: 200,
      work: async () => sent[nth]?.push(await send(api, payer, id, { ...PLAIN, amount: "0.000001" })),
    })),
  );
  settings.sealingKeys = [new Uint8Array(32).fill(2), ...settings.sealingKeys];
  const commands = ["vault-rotate", "secrets-reseal", "vault-rotate"] as const;
  const outputs: string[] = [];
  for (const command of commands) {
    const before = count();
    const { code, stdout, stderr } = await start(command).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    outputs.push(stdout);
    await expect.poll(count).toBeGreaterThan(before + 4);
  }
  await loops.stop();
  expect(outputs).toEqual([
    expect.stringMatching(/^15 keys were rewrapped/),
    "webhooks.secret: 1 encrypted again with the newest key.\n",
    expect.stringMatching(/^15 keys were rewrapped/),
  ]);
  for (const transaction of sent.flat()) await transactionWith(api, payer, transaction, "confirmed");
  await engine.stop();
  const nonces = await Promise.all(
    senders.map(({ address }) => chain.client.getTransactionCount({ address })),
  );
  expect(nonces).toEqual(sent.map(({ length }) => length));
});
