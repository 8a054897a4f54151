import { createWalletClient, erc20Abi, http, parseEther, parseUnits, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openChains } from "#server/providers/chain/chains.ts";
import { waitForReceipt } from "#server/providers/chain/wait-for-receipt.ts";
import { startTestChain } from "#server/testing/chain.ts";
import type { Asset, VenueCall, VenueQuote } from "./venue.ts";
import { venueOf } from "./venue-of.ts";

const sandbox = await startTestChain();
const chain = defined(openChains([sandbox.settings]).all[0]);
const venue = defined(venueOf(chain));
const { usd } = chain.contracts;

async function createTrader() {
  const account = privateKeyToAccount(generatePrivateKey());
  await sandbox.fund(account.address, { eth: "1000", usd: "1000000" });
  const client = createWalletClient({
    account,
    chain: chain.client.chain,
    transport: http(chain.rpcUrl),
  }).extend(publicActions);

  async function send({ to, value, data, gas }: VenueCall) {
    const hash = await client.sendTransaction({ chain: null, to, value, data, gas });
    return waitForReceipt(client, hash);
  }

  return { address: account.address, send };
}

const inAMinute = () => BigInt(Math.floor(Date.now() / 1000) + 60);
const quoted = (quote: VenueQuote | null) => defined(quote);

test("a sale of the native asset moves exactly the quoted amount", async () => {
  const trader = await createTrader();
  const quote = quoted(await venue.quoteExactIn({ from: "native", to: usd, amountIn: parseEther("1") }));
  const receipt = await trader.send(
    venue.buildSwap({ quote, recipient: trader.address, limit: quote.amountOut, deadline: inAMinute() }),
  );
  expect(receipt.status).toBe("success");
  expect(venue.readFill(receipt, { trader: trader.address, from: "native", to: usd })).toEqual({
    amountIn: parseEther("1"),
    amountOut: quote.amountOut,
  });
  expect(await balanceOf(trader.address, usd)).toBe(parseUnits("1000000", 6) + quote.amountOut);
});

test("a purchase of the native asset delivers it unwrapped and spends no more than it costs", async () => {
  const trader = await createTrader();
  const quote = quoted(await venue.quoteExactOut({ from: usd, to: "native", amountOut: parseEther("2") }));
  const most = (quote.amountIn * 101n) / 100n;
  await sandbox.approve(trader.address, chain.contracts.usd, venue.spender, most);
  const before = await balanceOf(trader.address, "native");
  const receipt = await trader.send(
    venue.buildSwap({ quote, recipient: trader.address, limit: most, deadline: inAMinute() }),
  );
  expect(receipt.status).toBe("success");
  expect(venue.readFill(receipt, { trader: trader.address, from: usd, to: "native" })).toEqual({
    amountIn: quote.amountIn,
    amountOut: parseEther("2"),
  });
  const spent = receipt.gasUsed * receipt.effectiveGasPrice;
  expect((await balanceOf(trader.address, "native")) - before).toBe(parseEther("2") - spent);
});

test("a purchase paid in the native asset returns the rest", async () => {
  const trader = await createTrader();
  const quote = quoted(
    await venue.quoteExactOut({ from: "native", to: usd, amountOut: parseUnits("500", 6) }),
  );
  const before = await balanceOf(trader.address, "native");
  const receipt = await trader.send(
    venue.buildSwap({
      quote,
      recipient: trader.address,
      limit: parseEther("1"),
      deadline: inAMinute(),
    }),
  );
  const fill = venue.readFill(receipt, { trader: trader.address, from: "native", to: usd });
  expect(fill).toEqual({ amountIn: quote.amountIn, amountOut: parseUnits("500", 6) });
  const spent = receipt.gasUsed * receipt.effectiveGasPrice;
  expect(before - (await balanceOf(trader.address, "native"))).toBe(fill.amountIn + spent);
});

test("tokens without a pool of their own are traded over a third", async () => {
  const trader = await createTrader();
  const other = sandbox.token("GOLD");
  const quote = quoted(await venue.quoteExactIn({ from: "native", to: other, amountIn: parseEther("1") }));
  const receipt = await trader.send(
    venue.buildSwap({ quote, recipient: trader.address, limit: quote.amountOut, deadline: inAMinute() }),
  );
  expect(quote.hops).toHaveLength(2);
  expect(await balanceOf(trader.address, other)).toBe(quote.amountOut);
  expect(venue.readFill(receipt, { trader: trader.address, from: "native", to: other }).amountOut).toBe(
    quote.amountOut,
  );
});

test("a trade whose price has moved past its minimum fails and moves nothing", async () => {
  const [trader, pusher] = [await createTrader(), await createTrader()];
  const quote = quoted(await venue.quoteExactIn({ from: "native", to: usd, amountIn: parseEther("1") }));
  const push = quoted(await venue.quoteExactIn({ from: "native", to: usd, amountIn: parseEther("500") }));
  await pusher.send(
    venue.buildSwap({ quote: push, recipient: pusher.address, limit: 0n, deadline: inAMinute() }),
  );
  const receipt = await trader.send(
    venue.buildSwap({ quote, recipient: trader.address, limit: quote.amountOut, deadline: inAMinute() }),
  );
  expect(receipt.status).toBe("reverted");
  expect(await balanceOf(trader.address, usd)).toBe(parseUnits("1000000", 6));
});

test("there is no quote for amounts that no route can fill, or assets without a pool", async () => {
  const all = 10n ** 40n;
  expect(await venue.quoteExactOut({ from: usd, to: "native", amountOut: all })).toBeNull();
  expect(await venue.quoteExactIn({ from: usd, to: usd, amountIn: 1n })).toBeNull();
  expect(
    await venue.quoteExactIn({ from: usd, to: "0x000000000000000000000000000000000000dEaD", amountIn: 1n }),
  ).toBeNull();
});

test("every listed asset has a price in USD, over two pools if needed", async () => {
  const prices = await venue.readPrices();
  expect([...prices.keys()].sort()).toEqual(chain.tokens.map(({ asset }) => asset).sort());
  expect(prices.get(usd)).toEqual({ spotUsd: "1", averageUsd: "1", reliable: true });
  expect(prices.get("native")).toEqual(prices.get(chain.contracts.wrappedNative));
  expect(Number(prices.get(sandbox.token("GOLD"))?.spotUsd)).toBeCloseTo(2500, -1);
  expect(prices.get(sandbox.token("BTC"))).toEqual({
    spotUsd: "60000",
    averageUsd: "60000",
    reliable: true,
  });
});

async function balanceOf(owner: `0x${string}`, asset: Asset): Promise<bigint> {
  if (asset === "native") return chain.client.getBalance({ address: owner });
  return chain.client.readContract({
    address: asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [owner],
  });
}
