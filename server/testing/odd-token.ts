import { fileURLToPath } from "node:url";
import { type Address, encodeFunctionData, getAddress, parseUnits, zeroAddress } from "viem";
import { positionManagerAbi } from "#server/providers/chain/abi.ts";
import type { Token } from "#server/providers/chain/chains.ts";
import {
  type Artifact,
  compileContracts,
  readArtifacts,
} from "#server/providers/chain/sandbox/compile-contracts.ts";
import { waitForReceipt } from "#server/providers/chain/wait-for-receipt.ts";
import type { TestChain } from "./chain.ts";

const FEE = 3000;
const MAX_TICK = 887_220;
const DEPTH = parseUnits("1000000", 6);
/** One for one, whichever of the two comes first. */
const EVEN = 2n ** 96n;

/** Puts a token as strange as USDT on a chain, with a pool in which a million of it trade for as many USD. */
export async function deployOddToken(chain: TestChain) {
  const { OddToken } = await compileContracts(fileURLToPath(new URL("./contracts", import.meta.url)), [
    "OddToken",
  ]);
  const owner = chain.accounts.faucet.address;
  const asset = await deploy(chain, owner, OddToken);
  const call = (functionName: string, ...args: unknown[]) =>
    chain.sendAs(owner, asset, encodeFunctionData({ abi: OddToken.abi, functionName, args }));
  await call("mint", owner, DEPTH);
  await openPool(chain, owner, asset);
  return {
    token: { asset, symbol: "ODD", name: "Odd", decimals: 6 } satisfies Token,
    mint: (to: Address, amount: string) => call("mint", to, parseUnits(amount, 6)),
    /** Has it keep so many hundredths of a percent of each transfer. */
    setFee: (bps: bigint) => call("setFee", bps),
  };
}

async function deploy(
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

async function openPool(chain: TestChain, owner: Address, asset: Address): Promise<void> {
  const { usd, venue, wrappedNative } = chain.settings.contracts;
  const { NonfungiblePositionManager } = await readArtifacts();
  const factory = venue?.factory as Address;
  const manager = await deploy(chain, owner, NonfungiblePositionManager, factory, wrappedNative, zeroAddress);
  await chain.fund(owner, { usd: "1000000" });
  for (const token of [usd, asset]) await chain.approve(owner, token, manager, DEPTH);
  const [token0, token1] = BigInt(usd) < BigInt(asset) ? [usd, asset] : [asset, usd];
  const position = {
    ...{ token0, token1, fee: FEE, tickLower: -MAX_TICK, tickUpper: MAX_TICK },
    ...{ amount0Desired: DEPTH, amount1Desired: DEPTH, amount0Min: 0n, amount1Min: 0n },
    ...{ recipient: owner, deadline: 10n ** 12n },
  };
  const made = {
    functionName: "createAndInitializePoolIfNecessary",
    args: [token0, token1, FEE, EVEN],
  } as const;
  await chain.sendAs(owner, manager, encodeFunctionData({ abi: positionManagerAbi, ...made }));
  const minted = { functionName: "mint", args: [position] } as const;
  await chain.sendAs(owner, manager, encodeFunctionData({ abi: positionManagerAbi, ...minted }));
}
