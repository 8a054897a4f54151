import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { rowsOf, runAccount, startAllWork } from "#server/testing/frozen.ts";
import {
  createWallet,
  execute,
  PLAIN,
  quote,
  RECIPIENT,
  send,
  transactionWith,
} from "#server/testing/transactions.ts";
import { remember, runsOf, setClock, triggersDo } from "#server/testing/triggers.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
await startAllWork(api);
const { client: sql } = api.platform.database;

async function createOwner() {
  const owner = await createPayingKey(api, 10_000);
  const wallet = await createWallet(api, chain, owner.key, { eth: "10" });
  const deposits = async () => {
    const { body } = await api.send("GET", `/v1/wallets/${wallet.id}/transactions?limit=100`, {
      key: owner.key,
    });
    return body.transactions
      .filter(({ direction, status }: Record<string, string>) => direction === "in" && status === "confirmed")
      .map(({ amount }: { amount: string }) => amount)
      .sort();
  };
  return { ...owner, wallet, deposits };
}

test("a frozen account's sends, deposits and triggers wait, and nothing is lost or done twice", async () => {
  await expect.poll(async () => (await sql`select from chain_heads`).length).toBe(1);
  const [frozen, other] = [await createOwner(), await createOwner()];
  const { key, accountId, wallet } = frozen;
  const every = { on: { everySeconds: 60 }, start: remember, overlap: "allow", catchUpSeconds: 3600 };
  const { trigger } = await triggersDo(api, key, "put", { name: "hourly", ...every });
  const before = await chain.client.getBalance({ address: RECIPIENT });
  const sent = [await send(api, key, wallet.id)];
  const post = (path: string, body: object) =>
    api.sendPatiently("POST", `/v1/wallets/${wallet.id}/transactions${path}`, { key, body });
  async function sendUntilRefused() {
    for (;;) {
      const quoted = await post("/quote", PLAIN);
      const answer = quoted.status === 201 ? await post("", { quoteId: quoted.body.quote.id }) : quoted;
      if (answer.status !== 202) return answer;
      sent.push(answer.body.transaction);
    }
  }
  const sending = [1, 2, 3].map(sendUntilRefused);
  const freezing = runAccount(api, "freeze", "--account", accountId);
  for (const { status, body } of await Promise.all(sending)) {
    expect([status, body.error.operationState]).toEqual([503, "not_started"]);
    expect(body.error.message).toContain("The account is frozen");
  }
  expect(await freezing).toMatchObject({ code: 0, stderr: "" });

  const rows = await rowsOf(api, accountId);
  await setClock(api, 185_000);
  for (const amount of ["1", "2"]) {
    await chain.fund(wallet.address, { usd: amount });
    await chain.fund(other.wallet.address, { usd: amount });
  }
  await expect.poll(other.deposits).toEqual(["1", "2"]);
  await chain.mine(5);
  const { body } = await execute(api, other.key, other.wallet.id, {
    quoteId: (await quote(api, other.key, other.wallet.id)).id,
  });
  await transactionWith(api, other.key, body.transaction, "confirmed");
  expect(await rowsOf(api, accountId)).toEqual(rows);

  expect(await runAccount(api, "thaw", "--account", accountId)).toMatchObject({ code: 0 });
  await expect.poll(frozen.deposits).toEqual(["1", "2"]);
  await expect.poll(other.deposits).toEqual(["1", "2"]);
  for (const transaction of sent) await transactionWith(api, key, transaction, "confirmed");
  const received = (await chain.client.getBalance({ address: RECIPIENT })) - before;
  expect(received).toBe(BigInt(sent.length + 1) * 10n ** 16n);
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(sent.length);
  await expect.poll(async () => (await runsOf(api, key, trigger.id)).length).toBe(3);
  const starts = (await runsOf(api, key, trigger.id)).map(({ scheduledAt }) => scheduledAt);
  expect(new Set(starts).size).toBe(3);
  await setClock(api, 0);
});
