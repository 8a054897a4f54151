import type { Address } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { balanceOf, moveTime, sendSteps, startSwaps } from "#server/testing/swaps.ts";

const { origin, api, readUntil } = await startSwaps();
const network = "eip155:31337";
const [usd, weth, gold, btc] = ["USD", "WETH", "GOLD", "BTC"].map(origin.token) as [
  Address,
  Address,
  Address,
  Address,
];
const stranger = () => privateKeyToAddress(generatePrivateKey());

async function prepare(
  key: string,
  sender: Address,
  [from, amount]: [string, string],
  to: string,
  more: Record<string, unknown> = {},
) {
  const body = { sender, from: { network, asset: from, amount }, to: { network, asset: to }, ...more };
  return api.send("POST", "/v1/swaps/prepare", { key, body, idempotencyKey: null });
}

test("prepares a swap over two pools for a wallet of somebody else's, and follows it", async () => {
  const { key } = await api.createRootKey();
  const sender = stranger();
  await origin.fund(sender, { eth: "1", token: { asset: gold, amount: "2" } });
  const { status, body } = await prepare(key, sender, [gold, "2"], btc);
  expect(status).toBe(201);
  const { routeId, steps, minimumReceived } = body.prepared;
  expect(steps).toMatchObject([
    { type: "approve", network, to: gold, value: "0" },
    { type: "swap", network, to: origin.settings.contracts.venue?.router, value: "0" },
  ]);
  expect(steps[0].description).toBe(`Let ${steps[1].to} take exactly 2 GOLD.`);
  const prepared = await api.send("GET", `/v1/swaps/routes/${routeId}`, { key });
  expect(prepared.body.route).toMatchObject({
    id: routeId,
    status: "prepared",
    sender,
    recipient: sender,
    swapId: null,
    received: null,
    from: { network, asset: gold, amount: "2" },
    to: { network, asset: btc, minimum: minimumReceived },
  });
  const { transactionHash, gasUsed } = await sendSteps(origin, sender, steps);
  const route = await readUntil(key, `/v1/swaps/routes/${routeId}`, "completed");
  expect(route).toMatchObject({
    sourceTransactionHash: transactionHash,
    destinationTransactionHash: transactionHash,
    failure: null,
  });
  // 2 GOLD are worth 5,000 USD, a twelfth of a BTC, minus 0.3 % for each of two pools.
  expect(Number(route.received)).toBeGreaterThan(0.0825);
  expect(Number(route.received)).toBeLessThan(0.0829);
  expect(Number(minimumReceived)).toBeLessThan(Number(route.received));
  expect((await balanceOf(origin, btc, sender)).toString()).toBe(String(Number(route.received) * 1e8));
  expect(gasUsed).toBeLessThan(BigInt(steps[1].gas));
});

test("unwraps the bought asset and sends it to a recipient", async () => {
  const { key } = await api.createRootKey();
  const [sender, recipient] = [stranger(), stranger()];
  await origin.fund(sender, { eth: "1", usd: "3000" });
  const { body } = await prepare(key, sender, [usd, "3000"], "native", { recipient });
  await sendSteps(origin, sender, body.prepared.steps);
  const route = await readUntil(key, `/v1/swaps/routes/${body.prepared.routeId}`, "completed");
  const received = await balanceOf(origin, "native", recipient);
  expect(BigInt(Math.round(Number(route.received) * 1e6))).toBe((received + 5n * 10n ** 11n) / 10n ** 12n);
  expect(Number(route.received)).toBeGreaterThan(0.99);
});

test("wraps and unwraps one for one, only for the sender", async () => {
  const { key } = await api.createRootKey();
  const sender = stranger();
  await origin.fund(sender, { eth: "2" });
  const elsewhere = await prepare(key, sender, ["native", "1"], weth, { recipient: stranger() });
  expect(elsewhere.body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "body.recipient" }],
  });
  const wrapped = (await prepare(key, sender, ["native", "1"], weth)).body.prepared;
  expect(wrapped).toMatchObject({ minimumReceived: "1", steps: [{ type: "swap", to: weth }] });
  await sendSteps(origin, sender, wrapped.steps);
  expect((await readUntil(key, `/v1/swaps/routes/${wrapped.routeId}`, "completed")).received).toBe("1");
  expect(await balanceOf(origin, weth, sender)).toBe(10n ** 18n);
  const unwrapped = (await prepare(key, sender, [weth, "0.4"], "native")).body.prepared;
  await sendSteps(origin, sender, unwrapped.steps);
  expect((await readUntil(key, `/v1/swaps/routes/${unwrapped.routeId}`, "completed")).received).toBe("0.4");
  expect(await balanceOf(origin, weth, sender)).toBe(6n * 10n ** 17n);
});

test("matches only the prepared transaction: not another sender's, nor a similar one of the same sender", async () => {
  const { key } = await api.createRootKey();
  const [sender, other] = [stranger(), stranger()];
  await origin.fund(sender, { eth: "2" });
  await origin.fund(other, { eth: "2" });
  const [mine, twin] = (
    await Promise.all([1, 2].map(() => prepare(key, sender, ["native", "0.5"], usd)))
  ).map(({ body }) => body.prepared);
  await sendSteps(origin, other, mine.steps);
  const { transactionHash } = await sendSteps(origin, sender, twin.steps);
  const followed = await readUntil(key, `/v1/swaps/routes/${twin.routeId}`, "completed");
  expect(followed.sourceTransactionHash).toBe(transactionHash);
  const { body } = await api.send("GET", `/v1/swaps/routes/${mine.routeId}`, { key });
  expect(body.route).toMatchObject({ status: "prepared", sourceTransactionHash: null });
});

test("reports a step that the chain has refused, and one that did not come in time", async () => {
  const { key } = await api.createRootKey();
  const sender = stranger();
  await origin.fund(sender, { eth: "2", usd: "100" });
  // Without the approval the router receives nothing.
  const refused = (await prepare(key, sender, [usd, "100"], "native")).body.prepared;
  const { to, data } = refused.steps[1];
  await origin.client.impersonateAccount({ address: sender });
  await origin.client.sendTransaction({ account: sender, chain: null, to, data, gas: 500_000n });
  const route = await readUntil(key, `/v1/swaps/routes/${refused.routeId}`, "failed");
  expect(route.failure.code).toBe("reverted");
  const late = (await prepare(key, sender, ["native", "1"], usd)).body.prepared;
  await moveTime([origin], 700);
  const expired = await readUntil(key, `/v1/swaps/routes/${late.routeId}`, "expired");
  expect(expired).toMatchObject({ sourceTransactionHash: null, received: null });
  const call = { account: sender, to: late.steps[0].to, data: late.steps[0].data, value: 10n ** 18n };
  await expect(origin.client.call(call)).rejects.toThrow("Transaction too old");
});

test("names an asset that it can't swap", async () => {
  const { key } = await api.createRootKey();
  const sender = stranger();
  const refusals = await Promise.all([
    prepare(key, sender, ["native", "1"], "native"),
    prepare(key, sender, [sender, "1"], usd),
    prepare(key, sender, [usd, "0.1234567"], weth),
    api.send("POST", "/v1/swaps/prepare", {
      key,
      idempotencyKey: null,
      body: { sender, from: { network, asset: usd, amount: "1" }, to: { network: "eip155:1", asset: usd } },
    }),
  ]);
  expect(refusals.map(({ status, body }) => [status, body.error.issues[0].path])).toEqual([
    [400, "body.to.asset"],
    [400, "body.from.asset"],
    [400, "body.from.amount"],
    [400, "body.to.network"],
  ]);
});

test("lists the assets of each network in their order, with prices once there are any", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", `/v1/swaps/tokens?network=${network}&limit=2`, { key });
  expect(body.tokens).toMatchObject([
    { network, asset: "native", symbol: "ETH", decimals: 18 },
    { network, asset: usd, symbol: "USD", decimals: 6 },
  ]);
  const rest = await api.send("GET", `/v1/swaps/tokens?network=${network}&cursor=${body.nextCursor}`, {
    key,
  });
  expect(rest.body.tokens.map(({ symbol }: { symbol: string }) => symbol)).toEqual(["WETH", "GOLD", "BTC"]);
});
