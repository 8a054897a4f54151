import { sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { exportAudit } from "#server/audit/export-audit.ts";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startKms } from "#server/testing/kms.ts";
import { selectWallets } from "./queries.ts";
import { keyContext, signerOf } from "./signer.ts";

const kms = await startKms();
const api = await startApi({ settings: { vault: { keys: () => [], kms: kms.settings } } });
const { db } = api.platform.database;
const written = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
afterAll(() => written.mockRestore());

async function makeWallet() {
  const { key, accountId } = await api.createRootKey();
  const create = () => api.send("POST", "/v1/wallets", { key, body: { label: "Guarded" } });
  const { id } = (await create()).body.wallet;
  const wallet = defined((await selectWallets(db)).find((row) => row.id === id));
  return { key, accountId, wallet, create };
}

test("answers 503 naming VAULT_KMS_KEY while the service is away, and makes wallets when it is back", async () => {
  const { create, wallet } = await makeWallet();
  await kms.stop();
  const { body } = await create();
  expect(body.error).toMatchObject({
    status: 503,
    code: "service_unavailable",
    operationState: "not_started",
    message: "The key management service (VAULT_KMS_KEY) is not available.",
  });
  await expect(signerOf(wallet).signMessage({ message: "Hello" })).rejects.toMatchObject({ status: 503 });
  await kms.start();
  expect((await create()).status).toBe(201);
});

test("is named by /health while the service is away, which makes the platform degraded", async () => {
  const health = async () => (await api.send("GET", "/health")).body;
  const well = { name: "vault", ok: true, durationMs: expect.any(Number), message: null };
  await expect.poll(health).toMatchObject({ status: "ok", checks: expect.arrayContaining([well]) });
  await kms.stop();
  const message = "The key management service (VAULT_KMS_KEY) is not available.";
  const away = { name: "vault", ok: false, durationMs: null, message };
  await expect.poll(health).toMatchObject({ status: "degraded", checks: expect.arrayContaining([away]) });
  await kms.start();
  await expect.poll(health).toMatchObject({ status: "ok", checks: expect.arrayContaining([well]) });
});

test("asks the service no more often than every two seconds, however often health is read", async () => {
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
  const since = performance.now();
  const before = kms.seen.length;
  await Promise.all(Array.from({ length: 50 }, () => api.send("GET", "/health")));
  const rounds = 1 + Math.ceil((performance.now() - since) / 2000);
  expect(kms.seen.length - before).toBeLessThanOrEqual(2 * rounds);
});

test("lets a plaintext key reach no log, error, table or audit", async () => {
  const { wallet, key, accountId } = await makeWallet();
  const { sealedKey: sealed, kekId } = wallet;
  const plain = await api.platform.vault.use({ sealed, kekId }, keyContext(wallet), (bytes) =>
    Buffer.from(bytes),
  );
  const signer = signerOf(wallet);
  await signer.signMessage({ message: "Hello" });
  const faults: unknown[] = await Promise.all([
    signer.signTransaction({ chainId: -1, to: "0x0", gas: -1n } as never).catch((reason) => reason),
    signer
      .signTypedData({ domain: {}, types: {}, primaryType: "No", message: {} } as never)
      .catch((reason) => reason),
    signerOf({ ...wallet, id: "wal_other" })
      .signMessage({ message: "Hello" })
      .catch((reason) => reason),
  ]);
  expect(faults.map((fault) => fault instanceof Error)).toEqual([true, true, true]);
  await api.send("GET", `/v1/wallets/${wallet.id}`, { key });

  const texts = [
    JSON.stringify(written.mock.calls),
    ...faults.map((fault) => wholeText(fault as Error)),
    ...(await tablesAsText()),
    await auditAsText(accountId),
  ];
  const shapes = [
    plain.toString("hex"),
    plain.toString("base64"),
    plain.toString("base64url"),
    [...plain].join(","),
  ];
  expect(texts.length).toBeGreaterThan(40);
  expect(texts.some((text) => text.toLowerCase().includes(wallet.address.slice(2).toLowerCase()))).toBe(true);
  for (const shape of shapes)
    expect(texts.filter((text) => text.toLowerCase().includes(shape.toLowerCase()))).toEqual([]);
});

/** Returns an error with all its properties and causes as text. */
function wholeText(error: Error): string {
  const fields = Object.getOwnPropertyNames(error).map((name) => String(error[name as keyof Error]));
  return [...fields, error.cause instanceof Error ? wholeText(error.cause) : ""].join("\n");
}

/** Returns every row of the database, as in a dump: bytes in hex. */
async function tablesAsText(): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  return Promise.all(
    tables.map(async ({ name }) =>
      JSON.stringify(await db.execute(sql`select t::text from ${sql.raw(name)} t`)),
    ),
  );
}

async function auditAsText(accountId: string): Promise<string> {
  const { auditSigningKey } = api.platform.settings;
  const lines: string[] = [];
  for await (const line of exportAudit(api.platform.database, auditSigningKey, {
    accountId,
    from: null,
    to: null,
  }))
    lines.push(JSON.stringify(line));
  return lines.join("\n");
}
