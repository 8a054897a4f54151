import { type Address, BaseError, decodeFunctionData, erc20Abi, type Hex } from "viem";
import { defined } from "#server/base/defined.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ChainUnavailable } from "#server/providers/chain/unavailable.ts";
import type { Failure } from "../executions/kind.ts";
import type { TransactionRow } from "./move-transaction.ts";
import { answeredWith, isTroubled } from "./send-raw.ts";

/** The gas that a call needs, or why the chain would refuse it. */
export type Precheck = { gas: bigint } | { failure: Failure };

/** The gas for sending the native asset to an account without code. */
export const PLAIN_GAS = 21_000n;

// For calls that cannot be tried when quoted: they are tried before signing, and fail unsigned if refused.
const UNKNOWN_GAS = 120_000n;

/** Returns the call that is signed for a transaction. */
export function callOf(row: TransactionRow) {
  return {
    account: row.from,
    to: defined(row.callTo),
    value: BigInt(row.callValue ?? 0),
    data: row.callData ?? "0x",
  };
}

/** Tries a call without sending it; `pending` if it depends on transactions that are not in a block yet. */
export async function precheck(
  chain: Chain,
  row: TransactionRow,
  blockTag: "latest" | "pending",
): Promise<Precheck> {
  const call = callOf(row);
  if (row.gas === PLAIN_GAS) return { gas: row.gas };
  try {
    if (row.gas === null) return { gas: withMargin(await chain.client.estimateGas({ ...call, blockTag })) };
    await chain.client.call({ ...call, blockTag });
    return { gas: row.gas };
  } catch (error) {
    if (answeredWith(error) === null || isTroubled(error)) throw error;
    return { failure: (await shortOf(chain, call)) ?? revertOf(error) };
  }
}

/** Adds a margin to the gas, for small changes of the state. */
function withMargin(gas: bigint): bigint {
  return gas === PLAIN_GAS ? gas : (gas * 5n) / 4n;
}

/**
 * Estimates the gas of a call; if the chain refuses it, e.g. for lack of funds, returns the usual gas of such calls.
 */
export async function estimateGas(
  { client, network }: Chain,
  account: Address,
  call: { to: Address; value: bigint; data: Hex },
): Promise<bigint> {
  try {
    return withMargin(await client.estimateGas({ account, ...call }));
  } catch (error) {
    if (answeredWith(error) === null) throw error;
    if (isTroubled(error)) throw new ChainUnavailable(network, "can't try a call at present", error as Error);
    return call.data === "0x" ? PLAIN_GAS : UNKNOWN_GAS;
  }
}

/** Returns the failure if a token transfer exceeds the wallet's balance, else null. */
async function shortOf({ client, tokens }: Chain, call: ReturnType<typeof callOf>): Promise<Failure | null> {
  const { account, to, data } = call;
  if (!data.startsWith("0xa9059cbb")) return null;
  try {
    const { args } = decodeFunctionData({ abi: erc20Abi, data });
    const balance = await client.readContract({
      address: to,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });
    if (balance >= (args?.[1] as bigint)) return null;
    const token = tokens.find(({ asset }) => asset === to);
    const message = `The wallet has too little ${token?.symbol ?? `of token ${to}`} for this transfer.`;
    return { code: "insufficient_funds", message };
  } catch (error) {
    if (error instanceof BaseError && answeredWith(error) !== null) return null;
    throw error;
  }
}

function revertOf(error: unknown): Failure {
  const reason = error instanceof BaseError ? error.shortMessage : String(error);
  if (/insufficient funds/i.test(reason) || /insufficient funds/i.test(answeredWith(error) ?? ""))
    return { code: "insufficient_funds", message: "The wallet has too little of the native asset for this." };
  return { code: "reverted", message: `The contract would refuse it: ${reason.slice(0, 500)}` };
}
