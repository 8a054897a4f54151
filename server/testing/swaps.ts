import { type Address, erc20Abi, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "./api.ts";
import { type Funds, startTestChain, type TestChain } from "./chain.ts";
import { startJobs } from "./jobs.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

interface Step {
  type: string;
  to: Address;
  data: Hex;
  value: string;
  gas: string;
}

/** Starts the platform on two chains of the test file, with a worker that executes its jobs. */
export async function startSwaps() {
  const [origin, destination] = await Promise.all([startTestChain(), startTestChain({ chainId: 31338 })]);
  const api = await startApi({ settings: { chains: [origin.settings, destination.settings] } });
  await startJobs(api);

  /** Reads a path until its resource has this status; fails if it ends with another one. */
  async function readUntil(key: string, path: string, status: string) {
    const name = path.includes("/routes/") ? "route" : "swap";
    const read = async () => (await api.send("GET", path, { key })).body[name];
    const settled = async () => {
      const { status: now, endedAt, failure } = await read();
      return endedAt === null && now !== status ? null : { status: now, failure };
    };
    const wanted = { interval: 50 };
    await expect.poll(settled, wanted).not.toBeNull();
    const found = await read();
    expect([found.status, found.failure]).toEqual([status, found.failure]);
    return found;
  }

  return { origin, destination, api, readUntil };
}

/** Returns an address's balance of an asset. */
export function balanceOf({ client }: TestChain, asset: string, address: Address): Promise<bigint> {
  if (asset === "native") return client.getBalance({ address });
  const args = [address] as const;
  return client.readContract({ address: asset as Address, abi: erc20Abi, functionName: "balanceOf", args });
}

/** Sends a call from any account with an explicit gas limit, because a node's estimate may be too low a block later. */
export async function sendCall(
  { client }: TestChain,
  from: Address,
  call: { to: Address; data: Hex; value: bigint; gas: bigint },
) {
  await client.impersonateAccount({ address: from });
  const hash = await client.sendTransaction({ account: from, chain: null, ...call });
  // A node that mines only when transactions are sent makes no further block, which viem would wait for.
  const receipt = () => client.getTransactionReceipt({ hash }).catch(() => null);
  await expect.poll(receipt, { interval: 10 }).not.toBeNull();
  return client.getTransactionReceipt({ hash });
}

/** Sends prepared steps from their sender; returns the last receipt. */
export async function sendSteps(chain: TestChain, sender: Address, steps: Step[]) {
  const receipts = [];
  for (const { to, data, value, gas } of steps)
    receipts.push(await sendCall(chain, sender, { to, data, value: BigInt(value), gas: BigInt(gas) }));
  return defined(receipts.at(-1));
}

/** Moves the clocks of chains forward, and mines a block on each. */
export async function moveTime(chains: TestChain[], seconds: number) {
  for (const { client, mine } of chains) {
    await client.increaseTime({ seconds });
    await mine();
  }
}

interface SwapInput {
  from: { network: string; asset: string; amount: string };
  to: { network: string; asset: string };
  slippageBps?: number;
}

/** Creates an external wallet with funds, and prepares a swap that it sends itself. */
export async function prepareSwap(api: Api, chain: TestChain, key: string, input: SwapInput, funds: Funds) {
  const sender = privateKeyToAddress(generatePrivateKey());
  await chain.fund(sender, funds);
  const body = { sender, ...input };
  const { prepared } = await api.mustSend(201, "POST", "/v1/swaps/prepare", {
    key,
    body,
    idempotencyKey: null,
  });
  return { sender, ...prepared };
}

/** Quotes a swap of a managed wallet. */
export async function quoteSwap(api: Api, key: string, walletId: string, input: SwapInput) {
  const body = { walletId, ...input };
  return (await api.mustSend(201, "POST", "/v1/swaps/quote", { key, body })).quote;
}

/** Executes a quote of a swap. */
export function executeSwap(api: Api, key: string, quoteId: string) {
  return api.send("POST", "/v1/swaps", { key, body: { quoteId } });
}

/** Quotes and executes a swap of a managed wallet. */
export async function swap(api: Api, key: string, walletId: string, input: SwapInput) {
  const { id } = await quoteSwap(api, key, walletId, input);
  return (await api.mustSend(202, "POST", "/v1/swaps", { key, body: { quoteId: id } })).swap;
}
