import { type Address, encodeFunctionData, type Hex, hexToBigInt, size } from "viem";
import type { z } from "zod";
import { toUnits } from "#server/chains/amounts.ts";
import { invalid } from "#server/operation/errors.ts";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { QuoteTransaction } from "./schema.ts";
import { answeredWith } from "./send-raw.ts";

/** The call that a wallet would sign. */
export interface PlannedCall {
  to: Address;
  value: bigint;
  data: Hex;
}

/** Returns the call that moves the requested amount. */
export async function callFor(chain: Chain, sent: z.output<typeof QuoteTransaction>): Promise<PlannedCall> {
  const { to } = sent;
  const data = sent.data as Hex | undefined;
  if (sent.asset === "native") return { to, value: toUnits(sent.amount, 18), data: data ?? "0x" };
  if (data !== undefined)
    throw invalid(
      "body.data",
      "Calldata goes with the native asset only. Send asset native, or leave data out.",
    );
  const token = sent.asset;
  const decimals = await decimalsOf(chain, token);
  if (decimals > MAX_DECIMALS)
    throw invalid(
      "body.asset",
      `${token} says that it has ${decimals} decimals; at most ${MAX_DECIMALS} can be sent.`,
    );
  const amount = toUnits(sent.amount, Number(decimals));
  return {
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
  };
}

// More would not fit into the type of a token's amounts.
const MAX_DECIMALS = 77;

async function decimalsOf({ client, tokens, network }: Chain, token: Address): Promise<bigint> {
  const listed = tokens.find(({ asset }) => asset === token);
  if (listed) return BigInt(listed.decimals);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "decimals" });
  try {
    const { data: answer } = await client.call({ to: token, data });
    // A response of more or less than one number is not a token's, even if its beginning reads as one.
    if (answer !== undefined && size(answer) === 32) return hexToBigInt(answer);
  } catch (error) {
    if (answeredWith(error) === null) throw error;
  }
  throw invalid("body.asset", `${token} is no token on ${network}.`);
}
