import { encodeFunctionData, erc20Abi } from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { placeOrder } from "#server/testing/trading.ts";
import { type Between, createWallet, RECIPIENT, send, startBetween } from "#server/testing/transactions.ts";
import { simulateCall } from "./simulate.ts";

const chain = await startTestChain();
const between: Between = {};
const api = await startApi({ settings: { chains: [await startBetween(chain, between)] } });
const { usd } = chain.settings.contracts;
const NETWORK = "eip155:31337";

/** Creates a funded wallet whose policy requires approval for everything, and a member who may decide. */
async function asking(policy: Record<string, unknown> = {}) {
  const { key, accountId } = await createPayingKey(api, 1000);
  const funds = { eth: "10", usd: "1000", policy: { approval: { always: true }, ...policy } };
  const wallet = await createWallet(api, chain, key, funds);
  const member = await signInMember(api, accountId, "approver");
  /** Returns the impact of the newest approval. */
  async function impact() {
    const { approvals } = (await member.query("approvals.list", { status: "pending" })).data;
    return (await member.query("approvals.impact.read", { approvalId: approvals[0].id })).data.impact;
  }
  return { key, wallet, member, impact };
}

const pay = (amount: string) => ({ network: NETWORK, to: RECIPIENT, asset: usd, amount });

test("shows a send's effect on balance and cap, by the chain's simulation and beside other reservations", async () => {
  const { key, wallet, impact } = await asking({ dailyLimitUsd: "500" });
  await send(api, key, wallet.id, pay("100"));
  await send(api, key, wallet.id, pay("250"));
  const found = await impact();
  expect(found).toMatchObject({
    walletId: wallet.id,
    frozen: false,
    network: NETWORK,
    valueUsd: "250",
    cap: { limitUsd: "500", beforeUsd: "100", afterUsd: "350" },
    refusals: [],
    simulation: { status: "succeeded", reason: null, blockNumber: expect.any(Number) },
    feeAtMost: { symbol: "ETH", amount: expect.stringMatching(/^0\.0/) },
    allowances: [],
  });
  expect(found.balances).toEqual([
    {
      network: NETWORK,
      asset: usd,
      symbol: "USD",
      before: "1000",
      change: "-250",
      bound: "exactly",
      after: "750",
      promised: "100",
    },
  ]);
});

test("says why the policy would refuse it by now", async () => {
  const { key, wallet, impact } = await asking();
  await send(api, key, wallet.id, pay("250"));
  expect((await impact()).cap).toBeNull();
  const body = { ifVersion: 1, dailyLimitUsd: "200" };
  await api.mustSend(200, "PATCH", `/v1/wallets/${wallet.id}/policy`, { key, body });
  expect(await impact()).toMatchObject({
    cap: { limitUsd: "200", beforeUsd: "0", afterUsd: "250" },
    refusals: ["250 USD does not fit into today's limit of 200 USD, of which 0 USD is spent or promised."],
  });
});

test("names the allowance that a call leaves behind, and a simulation that reverts", async () => {
  const { key, wallet, impact } = await asking();
  const call = (data: string) => ({ network: NETWORK, to: usd, asset: "native", amount: "0", data });
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [RECIPIENT, 2n ** 256n - 1n],
  });
  await send(api, key, wallet.id, call(approve));
  expect(await impact()).toMatchObject({
    balances: [],
    allowances: [{ symbol: "USD", amount: null, spender: RECIPIENT }],
    simulation: { status: "succeeded" },
  });
  // Quoted while the money was available; the second needs more than the first leaves.
  await send(api, key, wallet.id, pay("900"));
  await chain.client.impersonateAccount({ address: wallet.address });
  await chain.client.writeContract({
    account: wallet.address,
    chain: null,
    address: usd,
    abi: erc20Abi,
    functionName: "transfer",
    args: [RECIPIENT, 500_000_000n],
  });
  await expect.poll(async () => (await impact()).simulation.status).toBe("reverted");
  expect((await impact()).balances).toEqual([]);
});

test("shows the sent amount, though a contract leaves no gas for reading its effects", async () => {
  const { key, wallet, impact } = await asking();
  await send(api, key, wallet.id, pay("10"));
  // Geth gives a call the remaining gas of its block; the sandbox's node gives each call the whole block's.
  between.asked = (method, params) => {
    if (method !== "eth_simulateV1") return undefined;
    const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: object[] }] }];
    const own = (blockStateCalls[0].calls.length - 1) / 2;
    const success = { status: "0x1", returnData: `0x${"1".padStart(64, "0")}`, gasUsed: "0x5208", logs: [] };
    const failure = {
      ...success,
      status: "0x0",
      returnData: "0x",
      error: { code: -32015, message: "out of gas" },
    };
    const calls = blockStateCalls[0].calls.map((_, nth) => (nth <= own ? success : failure));
    const block = { number: "0x1", gasLimit: "0x1c9c380", gasUsed: "0x1c9c380", timestamp: "0x1", calls };
    return { status: 200, body: { jsonrpc: "2.0", id: 1, result: [block] } };
  };
  const found = await impact();
  between.asked = undefined;
  expect(found.simulation).toMatchObject({
    status: "unavailable",
    reason: expect.stringContaining("no gas"),
  });
  expect(found.balances).toMatchObject([{ symbol: "USD", before: "1000", change: "-10", after: "990" }]);
});

test("does not wait for a slow simulation", async () => {
  const { wallet } = await asking();
  const { client, contracts, tokens } = defined(api.platform.chains.find(NETWORK));
  await client.getBlockNumber();
  between.asked = (method) => (method === "eth_simulateV1" ? "hang" : undefined);
  const call = { from: wallet.address, to: RECIPIENT, value: 1n, data: "0x" } as const;
  const [simulated, balance] = await Promise.all([
    simulateCall({ client, contracts, tokens }, call),
    client.getBalance({ address: wallet.address }),
  ]);
  between.asked = undefined;
  expect(simulated.status).toBe("unavailable");
  expect(balance).toBe(10n ** 19n);
});

test("stays readable where the node can't simulate", async () => {
  const { key, wallet, impact } = await asking();
  await send(api, key, wallet.id, pay("10"));
  between.asked = (method) =>
    method === "eth_simulateV1"
      ? { status: 200, body: { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } } }
      : undefined;
  const found = await impact();
  between.asked = undefined;
  expect(found).toMatchObject({ valueUsd: "10", simulation: { status: "unavailable" } });
  // Without a simulation, the balance changes by the sent amount.
  expect(found.balances).toMatchObject([{ symbol: "USD", before: "1000", change: "-10", after: "990" }]);
});

test("shows an order's maximum payment and its proceeds", async () => {
  const { key, wallet, impact } = await asking({ dailyLimitUsd: "100000" });
  const terms = { side: "buy", type: "limit", quantity: "0.5", limitPrice: "1000", timeInForce: "gtc" };
  await placeOrder(api, key, { walletId: wallet.id, ...terms });
  expect(await impact()).toMatchObject({
    valueUsd: "500",
    cap: { beforeUsd: "0", afterUsd: "500" },
    simulation: null,
    feeAtMost: null,
    balances: [
      { symbol: "USD", before: "1000", change: "-500", bound: "at_most", after: "500", promised: "0" },
      { change: "0.5", bound: "exactly" },
    ],
  });
});

test("shows a message in full, and nothing to another account or once it is decided", async () => {
  const { key, wallet, member, impact } = await asking();
  const path = `/v1/wallets/${wallet.id}/signatures`;
  const body = { kind: "message", message: "Release the funds." };
  const { quote } = await api.mustSend(201, "POST", `${path}/quote`, { key, body });
  await api.mustSend(202, "POST", path, { key, body: { quoteId: quote.id } });
  expect(await impact()).toMatchObject({
    network: null,
    balances: [],
    fields: [{ name: "message", value: "Release the funds." }],
  });
  const [approval] = (await member.query("approvals.list", { status: "pending" })).data.approvals;
  const eve = await signUpAndIn(api);
  expect((await eve.query("approvals.impact.read", { approvalId: approval.id })).status).toBe(404);
  const { id: approvalId, payloadHash } = approval;
  await member.mutate("approvals.decide", { approvalId, payloadHash, decision: "reject" });
  expect((await member.query("approvals.impact.read", { approvalId })).data.impact).toBeNull();
});
