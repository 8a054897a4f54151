import { type Address, encodeFunctionData, type Hex } from "viem";
import { ApiError } from "#server/operation/errors.ts";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { callChain } from "./call-chain.ts";

/** The amount of a token that its owner allows a spender to take. */
export interface Allowance {
  token: Address;
  owner: Address;
  spender: Address;
  amount: bigint;
}

const GAS = 80_000n;

/** Reads how much of a token a spender may take. */
export function readAllowance(
  chain: Chain,
  { token, owner, spender }: Omit<Allowance, "amount">,
): Promise<bigint> {
  return callChain(chain, (client) =>
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: "allowance",
      args: [owner, spender],
    }),
  );
}

/**
 * Returns the calls that set the allowance to exactly this amount. Some tokens (USDT) change an allowance only from
 * zero: those are set to zero first.
 */
export async function buildAllowance(chain: Chain, allowance: Allowance, allowed: bigint) {
  const call = approve(allowance, allowance.amount);
  const refused = allowed > 0n && (await isRefused(chain, allowance.owner, call));
  return refused ? [approve(allowance, 0n), call] : [call];
}

function approve({ token, spender }: Allowance, amount: bigint) {
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
  return { to: token, value: 0n, data, gas: GAS };
}

async function isRefused(chain: Chain, account: Address, { to, data }: ReturnType<typeof approve>) {
  try {
    await callChain(chain, (client) => client.call({ account, to, data }));
    return false;
  } catch (reason) {
    if (reason instanceof ApiError) throw reason;
    return true;
  }
}
