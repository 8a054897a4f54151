import { sql } from "drizzle-orm";
import { erc20Abi } from "viem";
import { expect, test } from "vitest";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import {
  createWallet,
  PLAIN,
  quote,
  RECIPIENT,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { usd: asset } = chain.settings.contracts;

test("lets no more out of a wallet than its daily limit, with a thousand sends at once", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const policy = { dailyLimitUsd: "105" };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "20000", policy });
  const before = await chain.client.readContract({
    address: asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [RECIPIENT],
  });
  const { id } = await quote(api, key, wallet.id, { ...PLAIN, asset, amount: "10" });
  // Copies of one quote, because a thousand round trips to the node would prove nothing more.
  const copies = await api.platform.database.db.execute<{ id: string }>(sql`
    insert into quotes (account_id, id, kind, wallet_id, shown, plan, expires_at)
    select account_id, uuidv7(), kind, wallet_id, shown, plan, now() + interval '10 minutes'
    from quotes, generate_series(1, 1000) where id = ${uuidOf("quote", id)} returning id`);
  const answers = await Promise.all(
    copies.map((copy) => {
      const call = { idempotencyKey: unique("capped"), body: { quoteId: idOf("quote", copy.id) } };
      return untilAnswered(() => api.send("POST", `/v1/wallets/${wallet.id}/transactions`, { key, ...call }));
    }),
  );
  const sent = answers.filter(({ status }) => status === 202).map(({ body }) => body.transaction);
  const refused = answers.filter(({ status }) => status === 403);
  expect(sent).toHaveLength(10);
  expect(refused.filter(({ body }) => body.error.code === "policy_denied")).toHaveLength(990);
  const engine = await startSending(api);
  await Promise.all(sent.map((one) => transactionWith(api, key, one, "confirmed")));
  const after = await chain.client.readContract({
    address: asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [RECIPIENT],
  });
  expect(after - before).toBe(100_000_000n);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 9950, reservedCredits: 0 });
  await engine.stop();
});
