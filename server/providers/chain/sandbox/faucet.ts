import { type Address, encodeFunctionData, type Hex, type PublicClient } from "viem";
import { sandboxTokenAbi } from "../abi.ts";
import { waitForReceipt } from "../wait-for-receipt.ts";
import type { SandboxAccounts } from "./accounts.ts";
import { senderInTurn } from "./send-in-turn.ts";

/** A gift of the faucet. */
export interface Gift {
  to: Address;
  asset: "native" | Address;
  /** In the asset's smallest units. */
  units: bigint;
}

/** The part of a chain's client that the faucet uses. */
type FaucetClient = Pick<PublicClient, "getTransactionReceipt"> & Parameters<typeof senderInTurn>[0];

const senders = new WeakMap<FaucetClient, ReturnType<typeof senderInTurn>>();

/**
 * Sends a gift on a chain of the sandbox: ETH of the faucet's own, or newly minted tokens. Resolves once it is mined.
 */
export async function giveAway(
  client: FaucetClient,
  { faucet }: SandboxAccounts,
  { to, asset, units }: Gift,
): Promise<Hex> {
  const send = senders.get(client) ?? senderInTurn(client, faucet);
  senders.set(client, send);
  const mint = () => encodeFunctionData({ abi: sandboxTokenAbi, functionName: "mint", args: [to, units] });
  const hash = await send(asset === "native" ? { to, value: units } : { to: asset, data: mint() });
  const { status } = await waitForReceipt(client, hash);
  if (status !== "success") throw new Error(`The faucet's transaction ${hash} was reverted.`);
  return hash;
}
