import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { executeSwap, quoteSwap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder, placeQuote, pushPrice, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, execute, quote } from "#server/testing/transactions.ts";
import { addAdvanceJob } from "#server/trading/jobs.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const worker = await startJobs(api);
afterAll(worker.stop);

const NETWORK = "eip155:31337";
const { usd } = chain.settings.contracts;

const sql = postgres(api.databaseUrl, { max: 2 });
afterAll(() => sql.end());
const SWAP = {
  from: { network: NETWORK, asset: usd, amount: "1" },
  to: { network: NETWORK, asset: "native" },
};
const ORDER = { side: "buy", type: "limit", quantity: "0.01", limitPrice: "1000" };
const tighten = (key: string, walletId: string, changes: object) =>
  api.send("PATCH", `/v1/wallets/${walletId}/policy`, { key, body: { ifVersion: 1, ...changes } });

/** Returns how many statements wait for a lock in the database now. */
const waitingForLocks = async () => {
  const [row] = await sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count;
};

/**
 * Tightens the policy and then starts an operation, which both wait for the wallet's row; returns the operation's
 * result.
 */
async function tightenFirst<Result>(
  key: string,
  walletId: string,
  changes: object,
  begin: () => Promise<Result>,
) {
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = sql.begin(async (tx) => {
    await tx`select from wallets where id = ${uuidOf("wallet", walletId)} for no key update`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const patched = tighten(key, walletId, changes);
  await expect.poll(waitingForLocks).toBe(1);
  const begun = begin();
  await expect.poll(waitingForLocks).toBe(2);
  held.resolve();
  await holding;
  expect((await patched).status).toBe(200);
  return begun;
}

/** The creation of each kind of quote for a wallet, which returns the call that executes it. */
const EXECUTIONS: Record<string, (key: string, walletId: string) => Promise<() => Promise<Answered>>> = {
  async transaction(key, walletId) {
    const { id: quoteId } = await quote(api, key, walletId);
    return () => execute(api, key, walletId, { quoteId });
  },
  async signature(key, walletId) {
    const path = `/v1/wallets/${walletId}/signatures`;
    const body = { kind: "message", message: "Hello." };
    const { id: quoteId } = (await api.send("POST", `${path}/quote`, { key, body })).body.quote;
    return () => api.send("POST", path, { key, body: { quoteId } });
  },
  async swap(key, walletId) {
    const { id } = await quoteSwap(api, key, walletId, SWAP);
    return () => executeSwap(api, key, id);
  },
  async order(key, walletId) {
    const { id: quoteId } = await quoteOrder(api, key, { ...ORDER, walletId });
    return () => placeQuote(api, key, { quoteId });
  },
};

test.for(Object.keys(EXECUTIONS))(
  "executes the quote of a %s by the policy that is answered first",
  async (kind) => {
    const { key } = await createPayingKey(api, 10_000);
    const executed = async (changes: object) => {
      const { id } = await createWallet(api, chain, key, { eth: "1", usd: "1000" });
      const call = await EXECUTIONS[kind]?.(key, id);
      const { status, body } = await tightenFirst(key, id, changes, call as () => Promise<Answered>);
      return [status, body.error?.code ?? body[kind].status];
    };
    const denied = { allowedRecipients: [], signatures: { messages: false } };
    expect(await executed(denied)).toEqual([403, "policy_denied"]);
    expect(await executed({ approval: { always: true } })).toEqual([202, "awaiting_approval"]);
  },
);

test("trades nothing of a standing order by the policy of before, once its tightening is answered", async () => {
  const { key, accountId } = await createPayingKey(api, 10_000);
  const walletId = (await createWallet(api, chain, key, { eth: "1", usd: "1000" })).id;
  const order = await placeOrder(api, key, { ...ORDER, walletId, limitPrice: "2950" });
  // The job first runs before its price is known.
  const jobs = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = 'advanceOrder'`).length;
  await expect.poll(jobs).toBe(0);
  await pushPrice(api, chain, { sell: "400" });
  const { db } = api.platform.database;
  await tightenFirst(key, walletId, { allowedRecipients: [] }, () =>
    addAdvanceJob(db, { accountId, id: order.id }),
  );
  expect((await orderWith(api, key, order, "rejected")).failure.code).toBe("policy_denied");
});
