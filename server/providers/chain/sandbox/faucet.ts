import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  publicActions,
  walletActions,
} from "viem";
import { sandboxTokenAbi } from "../abi.ts";
import type { ChainSettings } from "../chains.ts";
import { nodeTransport } from "../node-transport.ts";
import { waitForReceipt } from "../wait-for-receipt.ts";
import type { SandboxAccounts } from "./accounts.ts";

/** What the faucet gives. */
export interface Gift {
  to: Address;
  asset: "native" | Address;
  /** In the asset's smallest units. */
  units: bigint;
}

/** Sends a gift on a chain of the sandbox: ETH of the faucet's own, tokens newly minted. Answers once it is mined. */
export async function giveAway(
  { chainId, rpcUrl }: ChainSettings,
  { faucet }: SandboxAccounts,
  { to, asset, units }: Gift,
): Promise<Hex> {
  const client = createTestClient({
    mode: "anvil",
    transport: nodeTransport(chainId, rpcUrl),
  })
    .extend(publicActions)
    .extend(walletActions);
  // The node signs for it and so counts its nonces, in one place for all processes.
  await client.impersonateAccount({ address: faucet.address });
  const mint = () => encodeFunctionData({ abi: sandboxTokenAbi, functionName: "mint", args: [to, units] });
  const hash = await client.sendTransaction({
    account: faucet.address,
    chain: null,
    ...(asset === "native" ? { to, value: units } : { to: asset, data: mint() }),
  });
  const { status } = await waitForReceipt(client, hash);
  if (status !== "success") throw new Error(`The faucet's transaction ${hash} was reverted.`);
  return hash;
}
