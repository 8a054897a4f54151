import { afterAll, expect, test } from "vitest";
import { expireApprovals } from "#server/approvals/expire-approvals.ts";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createWallet, send, startSending, transactionWith } from "#server/testing/transactions.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const engine = await startSending(api);
afterAll(engine.stop);
const { db, client: sql } = api.platform.database;
const worker = await startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) });
afterAll(worker.stop);

/** A send that waits, with the key of somebody else who may decide. */
async function waiting(policy: Record<string, unknown> = {}) {
  const root = await createPayingKey(api, 100);
  const [{ key }, decider] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  const wallet = await createWallet(api, chain, key, {
    eth: "1",
    policy: { approval: { always: true }, ...policy },
  });
  const transaction = await send(api, key, wallet.id);
  const { body } = await api.send("GET", "/v1/approvals?status=pending", { key: decider.key });
  const [approval] = body.approvals;
  return { root, key, decider: decider.key, wallet, transaction, approval };
}

const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

test("waits for its approval, tells the approver what it does, and is sent when that is given", async () => {
  const { key, decider, transaction, approval } = await waiting();
  expect(transaction).toMatchObject({ status: "awaiting_approval", approvalId: approval.id, hash: null });
  expect(approval).toMatchObject({
    kind: "transaction",
    subject: { serviceId: "managed-wallets", id: transaction.id },
    summary: "Send 0.01 ETH to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8.",
    reason: "The policy has everything approved.",
  });
  expect((await decide(api, decider, approval)).status).toBe(200);
  expect(await transactionWith(api, key, transaction, "confirmed")).toMatchObject({ attempts: 1 });
  const { body } = await api.send("GET", `/v1/approvals?id=${approval.id}`, { key });
  expect(body.approvals[0].status).toBe("consumed");
});

test("ends as rejected, or expired, with its credits given back", async () => {
  const rejected = await waiting();
  await decide(api, rejected.decider, rejected.approval, { decision: "reject" });
  expect(await transactionWith(api, rejected.key, rejected.transaction, "rejected")).toMatchObject({
    hash: null,
    chargedCredits: 0,
  });
  const expired = await waiting();
  await sql`update approvals set expires_at = now() where account_id = (select account_id from approvals order by id desc limit 1)`;
  await expireApprovals(db);
  expect(await transactionWith(api, expired.key, expired.transaction, "expired")).toMatchObject({
    hash: null,
  });
  for (const { key } of [rejected, expired])
    expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
});

test("is judged again when it is approved: by the policy of then, and as its initiator's key is then", async () => {
  const tightened = await waiting();
  const { wallet } = tightened;
  await sql`update wallets set policy = policy || '{"allowedRecipients": []}' where address = ${wallet.address}`;
  await decide(api, tightened.decider, tightened.approval);
  expect((await transactionWith(api, tightened.key, tightened.transaction, "failed")).failure.code).toBe(
    "policy_denied",
  );
  const revoked = await waiting();
  const { body } = await api.send("GET", "/v1/api-keys?limit=100", { key: revoked.root.key });
  const initiator = body.apiKeys.find(({ id }: { id: string }) => id === revoked.approval.requestedBy.id);
  await api.send("DELETE", `/v1/api-keys/${initiator.id}`, { key: revoked.root.key });
  await decide(api, revoked.decider, revoked.approval);
  expect((await transactionWith(api, revoked.decider, revoked.transaction, "failed")).failure.code).toBe(
    "api_key_revoked",
  );
});
