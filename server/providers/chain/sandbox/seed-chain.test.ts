import { encodePacked, parseEther } from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { erc20Abi, factoryAbi, multicall3Abi, poolAbi, quoterAbi } from "../abi.ts";

const chain = await startTestChain();
const { contracts } = chain.settings;
const venue = defined(contracts.venue);

test("reads balances of ETH and tokens in one call", async () => {
  const address = "0x1000000000000000000000000000000000000001";
  await chain.fund(address, { eth: "2", usd: "15.5" });
  const [eth, usd] = await chain.client.multicall({
    multicallAddress: contracts.multicall3,
    contracts: [
      { address: contracts.multicall3, abi: multicall3Abi, functionName: "getEthBalance", args: [address] },
      { address: contracts.usd, abi: erc20Abi, functionName: "balanceOf", args: [address] },
    ],
  });
  expect([eth.result, usd.result]).toEqual([2_000_000_000_000_000_000n, 15_500_000n]);
});

test("quotes ETH for GOLD over two pools", async () => {
  const path = encodePacked(
    ["address", "uint24", "address", "uint24", "address"],
    [contracts.wrappedNative, 500, contracts.usd, 3000, chain.token("GOLD")],
  );
  const { result } = await chain.client.simulateContract({
    address: venue.quoter,
    abi: quoterAbi,
    functionName: "quoteExactInput",
    args: [path, parseEther("1")],
  });
  // 3,000 USD buy 1.2 GOLD, less fees of 0.05 and 0.3 % and the slope of the pools.
  expect(result[0]).toBeGreaterThan(parseEther("1.19"));
  expect(result[0]).toBeLessThan(parseEther("1.2"));
});

test("has an average over half an hour in every pool from the first block on", async () => {
  const pairs = [
    [contracts.wrappedNative, contracts.usd, 500],
    [contracts.wrappedNative, contracts.usd, 3000],
    [chain.token("GOLD"), contracts.usd, 3000],
    [chain.token("BTC"), contracts.usd, 3000],
    [contracts.wrappedNative, chain.token("BTC"), 3000],
  ] as const;
  for (const args of pairs) {
    const address = await chain.client.readContract({
      address: venue.factory,
      abi: factoryAbi,
      functionName: "getPool",
      args,
    });
    const [slot0, [ticks]] = await Promise.all([
      chain.client.readContract({ address, abi: poolAbi, functionName: "slot0" }),
      chain.client.readContract({ address, abi: poolAbi, functionName: "observe", args: [[1800, 0]] }),
    ]);
    expect(slot0[4]).toBe(1800);
    expect(Number(defined(ticks[1]) - defined(ticks[0])) / 1800).toBe(slot0[1]);
  }
});

test("keeps its state over a stop, and after a kill loses only changes since the last save", async () => {
  const address = "0x1000000000000000000000000000000000000002";
  const balance = () =>
    chain.client.readContract({
      address: contracts.usd,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address],
    });
  await chain.fund(address, { usd: "1" });
  await chain.stop();
  await chain.start();
  expect(await balance()).toBe(1_000_000n);
  await chain.fund(address, { usd: "1" });
  await chain.kill();
  await chain.start();
  expect(await balance()).toBe(1_000_000n);
});
