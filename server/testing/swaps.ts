import { type Address, erc20Abi, type Hex } from "viem";
import { afterAll, expect } from "vitest";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startApi } from "./api.ts";
import { startTestChain, type TestChain } from "./chain.ts";

interface Step {
  type: string;
  to: Address;
  data: Hex;
  value: string;
  gas: string;
}

/** The platform on two chains of the test file's own, with a worker that does its jobs. */
export async function startSwaps() {
  const [origin, destination] = await Promise.all([startTestChain(), startTestChain({ chainId: 31338 })]);
  const api = await startApi({ settings: { chains: [origin.settings, destination.settings] } });
  const worker = await startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) });
  afterAll(() => worker.stop());

  /** Reads what the path names until it has this status. */
  async function readUntil(key: string, path: string, status: string) {
    const name = path.includes("/routes/") ? "route" : "swap";
    const read = async () => (await api.send("GET", path, { key })).body[name];
    await expect.poll(async () => (await read()).status, { timeout: 30_000, interval: 50 }).toBe(status);
    return read();
  }

  return { origin, destination, api, readUntil };
}

/** What an address has of an asset. */
export function balanceOf({ client }: TestChain, asset: string, address: Address): Promise<bigint> {
  if (asset === "native") return client.getBalance({ address });
  const args = [address] as const;
  return client.readContract({ address: asset as Address, abi: erc20Abi, functionName: "balanceOf", args });
}

/** Sends prepared steps as their sender would; answers the last one's receipt. */
export async function sendSteps(chain: TestChain, sender: Address, steps: Step[]) {
  const receipts = [];
  for (const { to, data, value } of steps) receipts.push(await chain.sendAs(sender, to, data, BigInt(value)));
  return receipts.at(-1) as NonNullable<(typeof receipts)[0]>;
}

/** Moves the clocks of chains, and has them make a block. */
export async function moveTime(chains: TestChain[], seconds: number) {
  for (const { client, mine } of chains) {
    await client.increaseTime({ seconds });
    await mine();
  }
}
