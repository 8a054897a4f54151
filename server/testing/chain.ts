import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
} from "viem";
import { defined } from "#server/base/defined.ts";
import { ask, launchAnvil } from "#server/boot/engines/anvil.ts";
import { freePort, waitUntilGone } from "#server/boot/processes.ts";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import type { ChainSettings } from "#server/providers/chain/chains.ts";
import { sandboxAccounts } from "#server/providers/chain/sandbox/accounts.ts";
import { cacheFolder, readArtifacts } from "#server/providers/chain/sandbox/compile-contracts.ts";
import { giveAway } from "#server/providers/chain/sandbox/faucet.ts";
import { type Deployment, PAST_SECONDS, seedChain } from "#server/providers/chain/sandbox/seed-chain.ts";
import { waitForReceipt } from "#server/providers/chain/wait-for-receipt.ts";
import { onCleanup } from "./cleanup.ts";
import { guardProcess } from "./guard-process.ts";
import { TEST_MNEMONIC } from "./settings.ts";

/** A method that viem does not type. */
type AnvilReorg = { Method: "anvil_reorg"; Parameters: [number, []]; ReturnType: null };

/** The accounts of every test's chain. */
const testAccounts = sandboxAccounts(TEST_MNEMONIC);

/** Writes to a temporary file and renames it, because other test files may read or create the same file. */
function place(file: string, content: string | Uint8Array) {
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

async function dump(rpcUrl: string, file: string) {
  const state = await ask<Hex>(rpcUrl, "anvil_dumpState");
  place(file, gunzipSync(Buffer.from(state.slice(2), "hex")));
}

/** More gas than any call of a test uses, well below a block's limit. */
const GAS = 6_000_000n;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Returns the state of a chain with contracts, created once for all test files and stored in node_modules. */
async function seededState(chainId: number) {
  const artifacts = await readArtifacts();
  const source = readFileSync(new URL("../providers/chain/sandbox/seed-chain.ts", import.meta.url), "utf8");
  const digest = createHash("sha256")
    .update(JSON.stringify([artifacts, source]))
    .digest("hex");
  const stateFile = join(cacheFolder, `test-chain-${chainId}-${digest.slice(0, 16)}.json`);
  const deploymentFile = `${stateFile}.deployment`;
  if (!existsSync(stateFile)) {
    const port = await freePort();
    const rpcUrl = `http://127.0.0.1:${port}`;
    const timestamp = nowSeconds() - PAST_SECONDS;
    const node = await launchAnvil({
      chainId,
      port,
      timestamp,
      logFile: join(tmpdir(), `chain-${port}.log`),
    });
    try {
      const deployment = await seedChain(rpcUrl, chainId, testAccounts, artifacts);
      place(deploymentFile, JSON.stringify(deployment));
      await dump(rpcUrl, stateFile);
    } finally {
      node.kill("SIGKILL");
    }
  }
  return { stateFile, deployment: JSON.parse(readFileSync(deploymentFile, "utf8")) as Deployment };
}

/** Funds for an address. */
export interface Funds {
  /** Whole ETH, set without a transaction. */
  eth?: string;
  /** Whole test USD, minted. */
  usd?: string;
  /** Another token of the sandbox, minted. */
  token?: { asset: Address; amount: string };
}

/** Starts a chain with contracts, tokens and pools for a test file. It ends with the file. */
export async function startTestChain({ chainId = 31337 }: { chainId?: number } = {}) {
  const { stateFile, deployment } = await seededState(chainId);
  const folder = mkdtempSync(join(tmpdir(), "test-chain-"));
  const kept = join(folder, "state.json");
  const port = await freePort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  async function launch(state: string) {
    const launched = await launchAnvil({ chainId, port, stateFile: state, logFile: join(folder, "log") });
    guardProcess(launched.pid);
    return launched;
  }
  let node = await launch(stateFile);
  const settings: ChainSettings = {
    chainId,
    name: "Sandbox",
    rpcUrl,
    sandbox: true,
    confirmations: 1,
    finality: 3,
    ...deployment,
  };
  const client = createTestClient({ mode: "anvil", transport: http(rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions);

  /** Sends a signal and waits until the process is gone. */
  async function end(signal: NodeJS.Signals) {
    node.kill(signal);
    await waitUntilGone(defined(node.pid), 10_000);
  }

  onCleanup(async () => {
    await end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  let turn: Promise<unknown> = Promise.resolve();

  /** Serializes changes of the chain's blocks. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  /** Sends from any account, without its key, and waits until it is mined; a revert fails the test here. */
  async function sendAs(from: Address, to: Address, data: Hex, value = 0n) {
    await client.impersonateAccount({ address: from });
    // A node's own estimate can be too low a second later, when a pool writes one observation more.
    const hash = await client.sendTransaction({ account: from, chain: null, to, data, value, gas: GAS });
    const receipt = await waitForReceipt(client, hash);
    if (receipt.status !== "success") throw new Error(`The transaction ${hash} to ${to} was reverted.`);
    return receipt;
  }

  async function mint(asset: Address, to: Address, amount: string) {
    const decimals = defined(deployment.tokens.find((token) => token.asset === asset)?.decimals);
    await giveAway(client, testAccounts, { to, asset, units: parseUnits(amount, decimals) });
  }

  return {
    settings,
    client,
    accounts: testAccounts,
    sendAs,
    /** Approves a contract to spend an amount of any account's token. */
    approve: (owner: Address, token: Address, spender: Address, amount: bigint) =>
      sendAs(
        owner,
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
      ),
    /** Returns the address of a token of the sandbox: USD, WETH, GOLD or BTC. */
    token: (symbol: string) => deployment.tokens.find((token) => token.symbol === symbol)?.asset as Address,
    mine: (blocks = 1) => inTurn(() => client.mine({ blocks })),
    /**
     * Replaces the newest blocks by empty ones; afterwards the chain mines automatically, unless the test says
     * otherwise.
     */
    reorganise: (blocks = 1, { automine = true } = {}) =>
      inTurn(async () => {
        // A block that anvil mines meanwhile would build on a state that is gone.
        await client.setAutomine(false);
        await sleep(100);
        try {
          await client.request<AnvilReorg>({ method: "anvil_reorg", params: [blocks, []] });
        } finally {
          await client.setAutomine(automine);
        }
      }),
    async fund(address: Address, { eth, usd, token }: Funds) {
      if (eth) {
        const value = (await client.getBalance({ address })) + parseEther(eth);
        await client.setBalance({ address, value });
      }
      if (usd) await mint(settings.contracts.usd, address, usd);
      if (token) await mint(token.asset, address, token.amount);
    },
    /** Saves the state; `start` continues from the last saved one. */
    save: () => dump(rpcUrl, kept),
    /** Ends the node and saves its state. */
    async stop() {
      await dump(rpcUrl, kept);
      await end("SIGTERM").catch(() => end("SIGKILL"));
    },
    /** Kills the node: changes since `save` are lost. */
    kill: () => end("SIGKILL"),
    /** Suspends the node's process: it answers no requests until it is continued. */
    freeze: () => void node.kill("SIGSTOP"),
    thaw: () => void node.kill("SIGCONT"),
    async start() {
      node = await launch(existsSync(kept) ? kept : stateFile);
    },
  };
}

/** The chain of a test. */
export type TestChain = Awaited<ReturnType<typeof startTestChain>>;
