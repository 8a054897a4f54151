import { encodeFunctionData, erc20Abi, parseUnits } from "viem";
import { expect, test } from "vitest";
import { walletTransactions } from "#db/schema/transactions.ts";
import { idOf, newUuidAt } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { SILENT_CHAIN, SILENT_USD as USD } from "#server/testing/silent-chain.ts";

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const NETWORK = "eip155:31337";
const DAY = 86_400_000;

const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });
const { db } = api.platform.database;

/** Returns noon of the day so many days ago, so that times within a few hours are on the same day. */
const noon = (daysAgo: number) => new Date(Math.floor(Date.now() / DAY - daysAgo) * DAY + DAY / 2);

async function makeMember() {
  const member = await signUpAndIn(api);
  const { wallet } = (await member.mutate("wallets.create", { label: "Replayed" })).data;
  const simulate = (draft: Record<string, unknown>) =>
    member.mutate("wallets.policy.simulate", { walletId: wallet.id, draft });
  const sent = async (at: Date, usd: string, more: Partial<typeof walletTransactions.$inferInsert> = {}) => {
    const args = [ADA, parseUnits(usd, 6)] as const;
    const id = idOf("transaction", newUuidAt(at));
    await db.insert(walletTransactions).values({
      accountId: member.accountId,
      walletId: wallet.id,
      id,
      network: NETWORK,
      direction: "out",
      status: "confirmed",
      from: wallet.address,
      to: ADA,
      asset: USD,
      amount: usd,
      callTo: USD,
      callValue: "0",
      callData: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
      ...more,
    });
    return id;
  };
  return { wallet, simulate, sent };
}

test("reports the decisions that a draft would change, with each day's limit, and changes nothing", async () => {
  const { simulate, sent } = await makeMember();
  await sent(noon(31), "900");
  await sent(noon(3), "60");
  const second = await sent(new Date(noon(3).getTime() + 1000), "50");
  await sent(noon(2), "50");
  await sent(noon(2), "1000", { status: "failed" });
  const { data } = await simulate({ dailyLimitUsd: "100", approval: { aboveUsd: "55" } });
  expect(data.simulation).toMatchObject({
    transactions: 3,
    truncated: false,
    now: { allow: 3, approval: 0, deny: 0 },
    draft: { allow: 1, approval: 1, deny: 1 },
  });
  expect(data.simulation.differing).toMatchObject([
    {
      id: second,
      summary: `Send 50 USD to ${ADA}.`,
      valueUsd: "50",
      now: { decision: "allow" },
      draft: {
        decision: "deny",
        reasons: ["50 USD does not fit into today's limit of 100 USD, of which 60 USD is spent or promised."],
      },
    },
    { summary: `Send 60 USD to ${ADA}.`, draft: { decision: "approval" } },
  ]);
  const again = await simulate({});
  expect(again.data.simulation).toMatchObject({ draft: { allow: 3, approval: 0, deny: 0 }, differing: [] });
});

test("counts the transactions of one swap as one", async () => {
  const { simulate, sent, wallet } = await makeMember();
  const source = { sourceType: "swap", sourceId: "swap_01jz4w1n9vf5ha3kqcx8y2r7te" } as const;
  const approve = { abi: erc20Abi, functionName: "approve", args: [ADA, parseUnits("80", 6)] } as const;
  await sent(noon(2), "80", { ...source, callData: encodeFunctionData(approve) });
  await sent(new Date(noon(2).getTime() + 1000), "80", source);
  const { data } = await simulate({ dailyLimitUsd: "80" });
  expect(data.simulation).toMatchObject({ transactions: 1, draft: { allow: 1, approval: 0, deny: 0 } });
  const stranger = await signUpAndIn(api);
  const other = await stranger.mutate("wallets.policy.simulate", { walletId: wallet.id, draft: {} });
  expect(other.error.code).toBe("not_found");
});
