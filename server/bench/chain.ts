import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchAnvil } from "../boot/engines/anvil.ts";
import { freePort } from "../boot/processes.ts";
import type { ChainSettings } from "../providers/chain/chains.ts";
import { sandboxAccounts } from "../providers/chain/sandbox/accounts.ts";
import { readArtifacts } from "../providers/chain/sandbox/compile-contracts.ts";
import { PAST_SECONDS, seedChain } from "../providers/chain/sandbox/seed-chain.ts";

const CHAIN_ID = 31337;
const accounts = sandboxAccounts("test test test test test test test test test test test junk");

/** Returns the settings of a benchmark's chain. */
export const benchChain = (rpcUrl: string): Omit<ChainSettings, "contracts" | "tokens"> => ({
  chainId: CHAIN_ID,
  name: "Bench",
  rpcUrl,
  sandbox: true,
  confirmations: 1,
  finality: 3,
});

/** Starts a node for a benchmark. */
export async function startBenchNode(timestamp?: number): Promise<{ rpcUrl: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "bench-chain-"));
  const port = await freePort();
  const node = await launchAnvil({ chainId: CHAIN_ID, port, timestamp, logFile: join(folder, "log") });
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    stop() {
      node.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a node with the sandbox's contracts on its chain. */
export async function startBenchChain(): Promise<{ settings: ChainSettings; stop(): void }> {
  const { rpcUrl, stop } = await startBenchNode(Math.floor(Date.now() / 1000) - PAST_SECONDS);
  const deployment = await seedChain(rpcUrl, CHAIN_ID, accounts, await readArtifacts());
  return { settings: { ...benchChain(rpcUrl), ...deployment }, stop };
}
