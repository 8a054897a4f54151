import { type Address, BaseError, erc20Abi } from "viem";
import { multicall3Abi } from "./abi.ts";
import type { Chain, Token } from "./chains.ts";
import { ChainUnavailable } from "./unavailable.ts";

/**
 * Reads an address's balances of these assets in smallest units, at one block and by one call; null if a token's
 * contract returns no amount.
 */
export async function readAmounts(
  { client, contracts }: Pick<Chain, "client" | "contracts">,
  address: Address,
  assets: readonly Token["asset"][],
): Promise<(bigint | null)[]> {
  const answers = await client.multicall({
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
  });
  return answers.map(({ result, error }) => {
    const gone = error instanceof BaseError && error.walk((cause) => cause instanceof ChainUnavailable);
    if (gone) throw gone;
    return typeof result === "bigint" ? result : null;
  });
}
