import {
  type Abi,
  type Address,
  concat,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  parseUnits,
  publicActions,
  TransactionReceiptNotFoundError,
  zeroAddress,
  zeroHash,
} from "viem";
import {
  erc20Abi,
  factoryAbi,
  poolAbi,
  positionManagerAbi,
  sandboxTokenAbi,
  wrappedNativeAbi,
} from "../abi.ts";
import type { ChainSettings } from "../chains.ts";
import { waitForReceipt } from "../wait-for-receipt.ts";
import type { SandboxAccounts } from "./accounts.ts";
import type { Artifacts } from "./compile-contracts.ts";
import type { Artifact } from "./solc-thread.ts";

/** The contracts and tokens of a sandbox chain. */
export type Deployment = Pick<ChainSettings, "contracts" | "tokens">;

// Present on every anvil: it creates a contract from a salt and code, at an address that follows from both.
const CREATE2_DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const MAX_UINT256 = 2n ** 256n - 1n;
const GAS = 60_000_000n;
// One observation a second for half an hour: no number of trades can shorten the period that averages cover.
const OBSERVATIONS = 1800;
/** How far in the past the chain's clock begins, so that averages can be read from the first hour on. */
export const PAST_SECONDS = 3600;
const TICK_SPACING = { 500: 10, 3000: 60 } as const;
const MAX_TICK = 887_272;

type Side = [token: Address, amount: bigint];

function squareRoot(value: bigint): bigint {
  let [last, next] = [value, (value + 1n) / 2n];
  while (next < last) [last, next] = [next, (next + value / next) / 2n];
  return last;
}

/** Returns a sender for a chain that is being seeded: the faucet sends everything, one transaction after the other. */
function openSender(rpcUrl: string, chainId: number, { faucet }: SandboxAccounts) {
  const client = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
  const hashes: Hex[] = [];

  async function send(to: Address, data: Hex, value = 0n) {
    const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 0n };
    const serializedTransaction = await faucet.signTransaction({
      chainId,
      to,
      data,
      value,
      gas: GAS,
      nonce: hashes.length,
      type: "eip1559",
      ...fees,
    });
    hashes.push(await client.sendRawTransaction({ serializedTransaction }));
  }

  /** A node that mines instantly sometimes misses a transaction; a requested block includes it. */
  async function mined(hash: Hex) {
    try {
      return await waitForReceipt(client, hash, 2_000);
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      await client.mine({ blocks: 1 });
      return waitForReceipt(client, hash);
    }
  }

  return {
    client,
    send,
    async deploy({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Address> {
      const code = encodeDeployData({ abi: abi as Abi, bytecode, args });
      await send(CREATE2_DEPLOYER, concat([zeroHash, code]));
      return getContractAddress({
        opcode: "CREATE2",
        from: CREATE2_DEPLOYER,
        salt: zeroHash,
        bytecode: code,
      });
    },
    /** Waits for all sent transactions. */
    async settle() {
      for (const hash of hashes) {
        const { status } = await mined(hash);
        if (status !== "success") throw new Error(`Seeding chain ${chainId} failed at ${hash}.`);
      }
    },
  };
}

type Sender = ReturnType<typeof openSender>;

async function openPools(
  { client, send, settle }: Sender,
  { factory, positions }: { factory: Address; positions: Address },
  pools: { fee: keyof typeof TICK_SPACING; sides: [Side, Side] }[],
  recipient: Address,
) {
  const sorted = pools.map(({ fee, sides }) => ({
    fee,
    sides: sides.toSorted(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1)) as [Side, Side],
  }));
  for (const token of new Set(pools.flatMap(({ sides }) => sides.map(([token]) => token))))
    await send(
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [positions, MAX_UINT256] }),
    );
  for (const { fee, sides } of sorted) {
    const [[token0, amount0], [token1, amount1]] = sides;
    const sqrtPriceX96 = squareRoot((amount1 << 192n) / amount0);
    const functionName = "createAndInitializePoolIfNecessary";
    const args = [token0, token1, fee, sqrtPriceX96] as const;
    await send(positions, encodeFunctionData({ abi: positionManagerAbi, functionName, args }));
  }
  await settle();
  for (const { fee, sides } of sorted) {
    const [[token0, amount0Desired], [token1, amount1Desired]] = sides;
    const pool = await client.readContract({
      address: factory,
      abi: factoryAbi,
      functionName: "getPool",
      args: [token0, token1, fee],
    });
    const functionName = "increaseObservationCardinalityNext";
    await send(pool, encodeFunctionData({ abi: poolAbi, functionName, args: [OBSERVATIONS] }));
    const tickUpper = MAX_TICK - (MAX_TICK % TICK_SPACING[fee]);
    const position = {
      token0,
      token1,
      fee,
      tickLower: -tickUpper,
      tickUpper,
      amount0Desired,
      amount1Desired,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient,
      deadline: MAX_UINT256,
    };
    await send(
      positions,
      encodeFunctionData({ abi: positionManagerAbi, functionName: "mint", args: [position] }),
    );
  }
}

/**
 * Seeds a fresh chain whose clock is in the past: contracts at addresses that follow from the accounts, tokens, and
 * pools with a history. Prices: ETH 3,000, GOLD 2,500 and BTC 60,000 USD.
 */
export async function seedChain(
  rpcUrl: string,
  chainId: number,
  accounts: SandboxAccounts,
  artifacts: Artifacts,
): Promise<Deployment> {
  const sender = openSender(rpcUrl, chainId, accounts);
  const { client, deploy, send } = sender;
  const owner = accounts.faucet.address;
  const relayer = accounts.relayer.address;
  await client.setBalance({ address: owner, value: parseEther("1000000000") });
  await client.setBalance({ address: relayer, value: parseEther("1000") });
  await client.setBalance({ address: accounts.facilitator.address, value: parseEther("1000") });

  const multicall3 = await deploy(artifacts.Multicall3);
  const weth = await deploy(artifacts.WrappedEther);
  const usd = await deploy(artifacts.SandboxToken, ["Sandbox USD", "USD", 6, owner]);
  const gold = await deploy(artifacts.SandboxToken, ["Sandbox Gold", "GOLD", 18, owner]);
  const btc = await deploy(artifacts.SandboxToken, ["Sandbox Bitcoin", "BTC", 8, owner]);
  const bridge = await deploy(artifacts.SandboxBridge, [relayer]);
  const factory = await deploy(artifacts.UniswapV3Factory);
  const quoter = await deploy(artifacts.QuoterV2, [factory, weth]);
  const router = await deploy(artifacts.SwapRouter, [factory, weth]);
  const positions = await deploy(artifacts.NonfungiblePositionManager, [factory, weth, zeroAddress]);

  const mint = (token: Address, to: Address, amount: bigint) =>
    send(token, encodeFunctionData({ abi: sandboxTokenAbi, functionName: "mint", args: [to, amount] }));
  const dollars = (amount: string) => parseUnits(amount, 6);
  await mint(usd, owner, dollars("100000000"));
  await mint(usd, relayer, dollars("100000000"));
  await mint(gold, owner, parseEther("4000"));
  await mint(btc, owner, parseUnits("150", 8));
  // The relayer's own stock, which it delivers.
  await mint(gold, relayer, parseEther("4000"));
  await mint(btc, relayer, parseUnits("150", 8));
  await send(
    weth,
    encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" }),
    parseEther("14000"),
  );
  const wrapped = [relayer, parseEther("1000")] as const;
  await send(weth, encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: wrapped }));
  await openPools(
    sender,
    { factory, positions },
    [
      {
        fee: 500,
        sides: [
          [weth, parseEther("10000")],
          [usd, dollars("30000000")],
        ],
      },
      {
        fee: 3000,
        sides: [
          [weth, parseEther("2000")],
          [usd, dollars("6000000")],
        ],
      },
      {
        fee: 3000,
        sides: [
          [gold, parseEther("4000")],
          [usd, dollars("10000000")],
        ],
      },
      {
        fee: 3000,
        sides: [
          [btc, parseUnits("100", 8)],
          [usd, dollars("6000000")],
        ],
      },
      {
        fee: 3000,
        sides: [
          [weth, parseEther("1000")],
          [btc, parseUnits("50", 8)],
        ],
      },
    ],
    owner,
  );
  await sender.settle();
  await client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000)) });
  await client.mine({ blocks: 1 });
  return {
    contracts: { multicall3, wrappedNative: weth, usd, venue: { factory, quoter, router }, bridge },
    tokens: [
      { asset: "native", symbol: "ETH", name: "Sandbox Ether", decimals: 18 },
      { asset: usd, symbol: "USD", name: "Sandbox USD", decimals: 6 },
      { asset: weth, symbol: "WETH", name: "Wrapped Ether", decimals: 18 },
      { asset: gold, symbol: "GOLD", name: "Sandbox Gold", decimals: 18 },
      { asset: btc, symbol: "BTC", name: "Sandbox Bitcoin", decimals: 8 },
    ],
  };
}
