import { type Address, parseEther, parseUnits } from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { recordPrices } from "#server/prices/record-prices.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { type Part, startPoolOwner } from "#server/testing/pools.ts";
import { createWallet, quote, RECIPIENT } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const chain = defined(api.platform.chains.all[0]);
const { key } = await createPayingKey(api, 1000);

const thief = sandbox.accounts.treasury.address;
const [usd, gold] = [sandbox.token("USD"), sandbox.token("GOLD")] as [Address, Address];
await sandbox.fund(thief, { eth: "10", usd: "100000000", token: { asset: gold, amount: "100000000" } });
const pools = await startPoolOwner(sandbox, thief);
const dollars = (amount: string): Part => ({ asset: usd, units: parseUnits(amount, 6) });
const golden = (amount: string): Part => ({ asset: gold, units: parseEther(amount) });

// The list of pools is refreshed once a minute.
await pools.open(10_000, [golden("1"), dollars("0.025")]);
await pools.open(500, [golden("1"), dollars("3100")]);

/** Records the prices once, as `watchPrices` does every ten seconds. */
async function look() {
  const prices = await venueOf(chain)?.readPrices();
  if (prices) await recordPrices(api.platform.database.db, chain.network, prices);
}

async function wait() {
  await sandbox.client.increaseTime({ seconds: 1860 });
  await sandbox.mine();
}

async function startWallet(policy: Record<string, unknown>) {
  const wallet = await createWallet(api, sandbox, key, {
    eth: "1",
    token: { asset: gold, amount: "10" },
    policy,
  });
  const path = `/v1/wallets/${wallet.id}/balances`;
  return {
    decide: async () => {
      const body = { network: chain.network, to: RECIPIENT, asset: gold, amount: "1" };
      return (await quote(api, key, wallet.id, body)).policy;
    },
    worth: async () => {
      const { body } = await api.send("GET", path, { key });
      return body.balances.find(({ asset }: { asset: string }) => asset === gold).valueUsd;
    },
  };
}

test("a cap holds however a stranger fills a pool of an unused fee tier for a moment", async () => {
  const { decide, worth } = await startWallet({ maxPerTransactionUsd: "2499" });
  await look();
  expect([(await decide()).decision, await worth()]).toEqual(["deny", "25000"]);
  await pools.add(10_000, [golden("0.01"), dollars("0.01")]);
  await wait();
  await pools.add(10_000, [golden("10000000"), dollars("10000000")]);
  await look();
  expect([(await decide()).decision, await worth()]).toEqual(["deny", "25000"]);
});

test("if pools differ an asset has no price: balances show none, caps deny, and approval thresholds require approval", async () => {
  const [capped, asked, both] = await Promise.all([
    startWallet({ maxPerTransactionUsd: "1000000" }),
    startWallet({ approval: { aboveUsd: "1000000" } }),
    startWallet({ dailyLimitUsd: "1000000", approval: { aboveUsd: "1000" } }),
  ]);
  await look();
  expect([(await capped.decide()).decision, (await asked.decide()).decision]).toEqual(["allow", "allow"]);
  await pools.add(500, [golden("4000"), dollars("12400000")]);
  await wait();
  await look();
  expect(await capped.worth()).toBeNull();
  const unpriced = "There is no price for GOLD that can be relied on";
  expect(await capped.decide()).toEqual({
    decision: "deny",
    reasons: [`${unpriced}, by which the policy's limits could be judged.`],
  });
  expect(await asked.decide()).toEqual({
    decision: "approval",
    reasons: [`${unpriced}: people decide.`],
  });
  expect((await both.decide()).decision).toBe("deny");
});
