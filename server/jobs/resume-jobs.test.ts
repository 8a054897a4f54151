import type { JobHelpers } from "graphile-worker";
import { afterAll, expect, test } from "vitest";
import { type Answered, startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { placeOrder } from "#server/testing/trading.ts";
import { createWallet, send } from "#server/testing/transactions.ts";
import { makeTasks } from "./tasks.ts";

const chain = await startTestChain();
const tenants = await startTenantCluster();
afterAll(() => tenants.drop());
const api = await startApi({
  settings: { chains: [chain.settings], tenantClusters: [tenants.cluster] },
});
const { client } = api.platform.database;

/** Creates a wallet that has everything approved, its key, and the key of another principal who may decide. */
async function createAsked() {
  const root = await createPayingKey(api, 1000);
  const [asker, decider] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  const policy = { approval: { always: true } };
  const wallet = await createWallet(api, chain, asker.key, { eth: "1", usd: "1000", policy });
  return { key: asker.key, decider: decider.key, walletId: wallet.id };
}

/** What waits for a job by resource: its creation, which returns a function that reads its status. */
const WAITING: Record<string, () => Promise<() => Promise<string>>> = {
  async transaction() {
    const { key, decider, walletId } = await createAsked();
    const { id } = await send(api, key, walletId);
    return approved(key, decider, `/v1/wallets/${walletId}/transactions/${id}`, "transaction");
  },
  async signature() {
    const { key, decider, walletId } = await createAsked();
    const path = `/v1/wallets/${walletId}/signatures`;
    const body = { kind: "message", message: "Release." };
    const { quote } = await api.mustSend(201, "POST", `${path}/quote`, { key, body });
    const idempotencyKey = "release-once";
    const create = () => api.send("POST", path, { key, idempotencyKey, body: { quoteId: quote.id } });
    await create();
    await approve(key, decider);
    return async () => (await create()).body.signature.status;
  },
  async order() {
    const { key, decider, walletId } = await createAsked();
    const terms = { walletId, side: "buy", type: "limit", quantity: "0.1", limitPrice: "1000" };
    const { id } = await placeOrder(api, key, terms);
    return approved(key, decider, `/v1/trading/orders/${id}`, "order");
  },
  async database() {
    const { key } = await api.createRootKey();
    await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
    await api.mustSend(200, "DELETE", "/v1/databases/account", { key });
    return statusAt(key, "/v1/databases/account", "database");
  },
};

function statusAt(key: string, path: string, name: keyof Answered["body"]) {
  return async () => (await api.mustSend(200, "GET", path, { key }))[name].status;
}

async function approve(key: string, decider: string) {
  const { approvals } = await api.mustSend(200, "GET", "/v1/approvals", { key });
  expect((await decide(api, decider, approvals[0])).status).toBe(200);
}

async function approved(key: string, decider: string, path: string, name: string) {
  await approve(key, decider);
  return statusAt(key, path, name);
}

test.for([
  ["transaction", "advanceTransaction", "awaiting_approval", "reserved"],
  ["signature", "advanceSignature", "awaiting_approval", "signed"],
  ["order", "advanceOrder", "awaiting_approval", "open"],
  ["database", "removeEmptyDatabase", "deprovisioning", "absent"],
] as const)("continues the %s whose %s was given up", async ([resource, task, before, after]) => {
  const status = await WAITING[resource]?.();
  const given = await client`
    select from (select array_agg(id) as ids from graphile_worker.jobs where task_identifier = ${task}) j,
      graphile_worker.permanently_fail_jobs(j.ids, 'For a test')`;
  expect(given).toHaveLength(1);
  const worker = await startJobs(api);
  expect(await status?.()).toBe(before);
  await makeTasks(api.platform).resumeJobs?.({}, {} as JobHelpers);
  await expect.poll(() => status?.()).toBe(after);
  await worker.stop();
});
