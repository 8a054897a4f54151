import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchAnvil } from "../boot/anvil.ts";
import { freePort } from "../boot/processes.ts";
import type { ChainSettings } from "../providers/chain/chains.ts";
import { sandboxAccounts } from "../providers/chain/sandbox/accounts.ts";
import { readArtifacts } from "../providers/chain/sandbox/compile-contracts.ts";
import { furnishChain, PAST_SECONDS } from "../providers/chain/sandbox/furnish-chain.ts";

const CHAIN_ID = 31337;
const accounts = sandboxAccounts("test test test test test test test test test test test junk");

/** A furnished chain of a measurement's own. */
export async function startBenchChain(): Promise<{ settings: ChainSettings; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "bench-chain-"));
  const port = await freePort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  const timestamp = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  const node = await launchAnvil({ chainId: CHAIN_ID, port, timestamp, logFile: join(folder, "log") });
  const deployment = await furnishChain(rpcUrl, CHAIN_ID, accounts, await readArtifacts());
  return {
    settings: {
      ...{ chainId: CHAIN_ID, name: "Bench", rpcUrl, sandbox: true, confirmations: 1, finality: 3 },
      ...deployment,
    },
    stop() {
      node.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
