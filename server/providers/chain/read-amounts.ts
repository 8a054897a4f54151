import { type Address, erc20Abi } from "viem";
import { multicall3Abi } from "./abi.ts";
import type { Chain, Token } from "./chains.ts";

/** What an address has of each of these assets, in their smallest units, at one block and by one call. */
export function readAmounts(
  { client, contracts }: Pick<Chain, "client" | "contracts">,
  address: Address,
  assets: readonly Token["asset"][],
): Promise<bigint[]> {
  return client.multicall({
    allowFailure: false,
    contracts: assets.map((asset) =>
      asset === "native"
        ? {
            address: contracts.multicall3,
            abi: multicall3Abi,
            functionName: "getEthBalance",
            args: [address],
          }
        : { address: asset, abi: erc20Abi, functionName: "balanceOf", args: [address] },
    ),
  }) as Promise<bigint[]>;
}
