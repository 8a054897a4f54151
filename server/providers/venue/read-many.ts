import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { multicall3Abi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

/** Reads from many contracts by one request; null for a contract that refused. */
export async function readMany(
  { client, contracts }: Chain,
  calls: readonly { target: Address; data: Hex }[],
): Promise<(Hex | null)[]> {
  if (calls.length === 0) return [];
  const { data = "0x" } = await client.call({
    to: contracts.multicall3,
    data: encodeFunctionData({
      abi: multicall3Abi,
      functionName: "aggregate3",
      args: [calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))],
    }),
  });
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data });
  // A call of an address without code succeeds and returns nothing.
  return results.map(({ success, returnData }) => (success && returnData !== "0x" ? returnData : null));
}
