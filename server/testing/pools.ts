import { type Address, encodeFunctionData, getAddress, type Hex, zeroAddress } from "viem";
import { defined } from "#server/base/defined.ts";
import { positionManagerAbi } from "#server/providers/chain/abi.ts";
import { readArtifacts } from "#server/providers/chain/sandbox/compile-contracts.ts";
import type { Artifact } from "#server/providers/chain/sandbox/solc-thread.ts";
import { waitForReceipt } from "#server/providers/chain/wait-for-receipt.ts";
import type { TestChain } from "./chain.ts";

/** Deploys a contract. */
export async function deploy(
  { client }: TestChain,
  account: Address,
  { abi, bytecode }: Artifact,
  ...args: unknown[]
) {
  await client.impersonateAccount({ address: account });
  const hash = await client.deployContract({ abi, bytecode, args, account, chain: null });
  const { contractAddress } = await waitForReceipt(client, hash);
  return getAddress(contractAddress as Address);
}

/** An amount of a token, in smallest units. */
export interface Part {
  asset: Address;
  units: bigint;
}

/** Starts an owner who opens pools and adds liquidity; the owner must have the tokens. */
export async function startPoolOwner(chain: TestChain, owner: Address) {
  const { venue, wrappedNative } = chain.settings.contracts;
  const { NonfungiblePositionManager } = await readArtifacts();
  const factory = defined(venue?.factory);
  const manager = await deploy(chain, owner, NonfungiblePositionManager, factory, wrappedNative, zeroAddress);
  const sorted = (parts: [Part, Part]) =>
    parts.toSorted((a, b) => (BigInt(a.asset) < BigInt(b.asset) ? -1 : 1));

  const send = (data: Hex) => chain.sendAs(owner, manager, data);

  return {
    /** Opens a pool whose price makes the two amounts equal in value. */
    async open(fee: number, worth: [Part, Part]): Promise<void> {
      const [{ asset: token0, units: units0 }, { asset: token1, units: units1 }] = sorted(worth) as [
        Part,
        Part,
      ];
      const args = [token0, token1, fee, squareRoot((units1 << 192n) / units0)] as const;
      const functionName = "createAndInitializePoolIfNecessary";
      await send(encodeFunctionData({ abi: positionManagerAbi, functionName, args }));
    },
    /** Adds liquidity of at most these amounts between two ticks, by default over all prices. */
    async add(fee: number, most: [Part, Part], ticks?: [lower: number, upper: number]): Promise<void> {
      for (const { asset, units } of most) await chain.approve(owner, asset, manager, units);
      const [{ asset: token0, units: amount0Desired }, { asset: token1, units: amount1Desired }] = sorted(
        most,
      ) as [Part, Part];
      const edge = 887_272 - (887_272 % SPACINGS[fee as keyof typeof SPACINGS]);
      const [tickLower, tickUpper] = ticks ?? [-edge, edge];
      const position = {
        token0,
        token1,
        fee,
        tickLower,
        tickUpper,
        amount0Desired,
        amount1Desired,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: owner,
        deadline: 10n ** 12n,
      };
      const minted = { functionName: "mint", args: [position] } as const;
      await send(encodeFunctionData({ abi: positionManagerAbi, ...minted }));
    },
  };
}

/** The spacing of the ticks of each fee tier. */
const SPACINGS = { 500: 10, 3000: 60, 10000: 200 };

function squareRoot(value: bigint): bigint {
  let [last, next] = [value, (value + 1n) / 2n];
  while (next < last) [last, next] = [next, (next + value / next) / 2n];
  return last;
}
