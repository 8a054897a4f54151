import {
  type Address,
  BaseError,
  decodeAbiParameters,
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
} from "viem";
import { simulateBlocks } from "viem/actions";
import { multicall3Abi } from "#server/providers/chain/abi.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";

/** The result of simulating a call. */
export interface Simulation {
  status: "succeeded" | "reverted" | "unavailable";
  reason: string | null;
  blockNumber: number | null;
  /** The sender's balances before and after it in smallest units, without the network fee. */
  amounts: { asset: Token["asset"]; before: bigint; after: bigint }[];
}

const MAX_REASON = 300;
const UNAVAILABLE: Simulation = { status: "unavailable", reason: null, blockNumber: null, amounts: [] };
const REVERTS = parseAbi(["error Error(string)", "error Panic(uint256)"]);

/** Simulates a call on the newest block (`eth_simulateV1`), with the sender's balances before and after it, in one request. */
export async function simulateCall(
  { client, contracts, tokens }: Pick<Chain, "client" | "contracts" | "tokens">,
  call: { from: Address; to: Address; value: bigint; data: Hex },
): Promise<Simulation> {
  const { from, to, value, data } = call;
  const reads = tokens.map(({ asset }) => ({
    ...balanceCall(asset, contracts.multicall3, from),
    account: from,
  }));
  try {
    const [block] = await simulateBlocks(client, {
      blocks: [{ calls: [...reads, { account: from, to, value, data }, ...reads] }],
    });
    const results = block?.calls ?? [];
    const sent = results[reads.length];
    if (!block || !sent) return UNAVAILABLE;
    const read = tokens.map(({ asset }, nth) => ({
      asset,
      before: amountIn(results[nth]),
      after: amountIn(results[reads.length + 1 + nth]),
    }));
    // A contract that leaves no gas for the later reads would look as if it changed nothing.
    if (read.some(({ before, after }) => before !== null && after === null))
      return { ...UNAVAILABLE, reason: "The call leaves no gas to read the balances after it." };
    const failed = sent.status !== "success";
    return {
      status: failed ? "reverted" : "succeeded",
      reason: failed ? reasonOf(sent.data) : null,
      blockNumber: Number(block.number),
      amounts: read.flatMap(({ asset, before, after }) =>
        before === null || after === null ? [] : [{ asset, before, after }],
      ),
    };
  } catch (reason) {
    // Not every node simulates; and one that does not answer leaves the decision as it is.
    if (reason instanceof BaseError) return { ...UNAVAILABLE, reason: shortened(reason.shortMessage) };
    throw reason;
  }
}

function balanceCall(asset: Token["asset"], multicall3: Address, of: Address): { to: Address; data: Hex } {
  const data =
    asset === "native"
      ? encodeFunctionData({ abi: multicall3Abi, functionName: "getEthBalance", args: [of] })
      : encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [of] });
  return { to: asset === "native" ? multicall3 : asset, data };
}

function amountIn(result: { status: string; data: Hex } | undefined): bigint | null {
  if (result?.status !== "success" || result.data.length !== 66) return null;
  return decodeAbiParameters([{ type: "uint256" }], result.data)[0];
}

/** Why a contract refused, where it says so in one of the two usual ways. */
function reasonOf(data: Hex): string | null {
  try {
    const { errorName, args } = decodeErrorResult({ abi: REVERTS, data });
    return shortened(errorName === "Error" ? String(args[0]) : `Panic ${args[0]}`);
  } catch {
    return data.length > 2 ? `It reverts with ${shortened(data)}.` : null;
  }
}

const shortened = (text: string) => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text);
