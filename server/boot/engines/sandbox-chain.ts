import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { defined } from "#server/base/defined.ts";
import { log } from "../../base/log.ts";
import type { ChainSettings } from "../../providers/chain/chains.ts";
import type { Deployment } from "../../providers/chain/sandbox/seed-chain.ts";
import { freePort, isAlive, readCommand, waitUntilGone } from "../processes.ts";
import { ask, launchAnvil } from "./anvil.ts";
import type { ChainLock } from "./chain-lock.ts";
import type { EngineGuard } from "./engine-guard.ts";

export interface SandboxChainOptions {
  /** The folder of its state, its port and its log. */
  dataDir: string;
  chainId: number;
  name: string;
  mnemonic: string;
  /** The port for its first start, if that port is free. */
  preferredPort: number;
  lock: ChainLock;
  /** Ends the node once every process that uses it has ended. */
  guard?: EngineGuard | undefined;
}

export interface SandboxChain {
  settings: ChainSettings;
  /** The node's process id, which changes with a restart. */
  readonly pid: number;
  /** Stops watching the node, and ends the node if no other process uses it. */
  stop(isLast: boolean): Promise<void>;
}

const WATCH_MS = 1000;
/** The longest delay from a block to the save of its state; if saving is slow, it takes a twentieth of the time. */
const SAVE_MS = 2000;
const FINALITY = 3;

interface Block {
  number: `0x${string}`;
  hash: string;
  transactions: string[];
}

/** Writes to a temporary name and renames the file, so that a killed process leaves no partial file. */
function place(file: string, content: string) {
  writeFileSync(`${file}.${process.pid}`, content, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

function readNumber(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Starts a chain of the sandbox, or joins the one that runs on the folder; saves its state, and restarts it when it
 * dies.
 */
export async function startSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  const { chainId, lock } = options;
  const dataDir = resolve(options.dataDir);
  const files = {
    pid: join(dataDir, "anvil.pid"),
    port: join(dataDir, "port"),
    deployment: join(dataDir, "deployment.json"),
    /** The node's dump of its state, compressed; a chain exists if this file does. */
    saved: join(dataDir, "state.json.gz"),
    loaded: join(dataDir, "state.json"),
    log: join(dataDir, "anvil.log"),
  };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  let port = readNumber(files.port) ?? (await freePort(options.preferredPort));
  place(files.port, String(port));
  let pid = 0;
  const rpcUrl = () => `http://127.0.0.1:${port}`;

  /** Returns the node's process if it is running: after a crash, another process may have its id. */
  function findNode() {
    const found = readNumber(files.pid);
    if (!found || !isAlive(found)) return undefined;
    const command = readCommand(found).replaceAll("\0", " ");
    return command.includes(`--port ${port} --chain-id ${chainId} `) ? found : undefined;
  }

  async function launch(begin: { stateFile?: string; timestamp?: number }) {
    const node = await launchAnvil({ chainId, port, logFile: files.log, detached: true, ...begin });
    node.unref();
    pid = defined(node.pid);
    place(files.pid, String(pid));
    options.guard?.add(pid, "TERM KILL");
  }

  async function save() {
    const state = await ask<string>(rpcUrl(), "anvil_dumpState");
    const draft = `${files.saved}.${process.pid}`;
    await writeFile(draft, Buffer.from(state.slice(2), "hex"), { mode: 0o600, flush: true });
    await rename(draft, files.saved);
  }

  async function seed() {
    // Loaded late: only the first start needs their memory.
    const { sandboxAccounts } = await import("../../providers/chain/sandbox/accounts.ts");
    const { readArtifacts } = await import("../../providers/chain/sandbox/compile-contracts.ts");
    const { seedChain, PAST_SECONDS } = await import("../../providers/chain/sandbox/seed-chain.ts");
    const artifacts = await readArtifacts();
    await launch({ timestamp: Math.floor(Date.now() / 1000) - PAST_SECONDS });
    const accounts = sandboxAccounts(options.mnemonic);
    const deployment = await seedChain(rpcUrl(), chainId, accounts, artifacts);
    place(files.deployment, JSON.stringify(deployment));
    await save();
  }

  /** Joins the node or starts one; the lock keeps other processes from doing so at the same time. */
  async function ensureRunning() {
    const found = findNode();
    const kept = existsSync(files.saved);
    if (found && kept) {
      pid = found;
      options.guard?.add(pid, "TERM KILL");
      return;
    }
    // Left by a first start that was killed before the chain was seeded.
    if (found) {
      process.kill(found, "SIGKILL");
      await waitUntilGone(found, 10_000);
    }
    if (!kept) return seed();
    place(files.loaded, gunzipSync(readFileSync(files.saved)).toString());
    await launch({ stateFile: files.loaded });
  }

  async function begin() {
    // Another program may have its port by now.
    if (!findNode()) port = await freePort(port);
    place(files.port, String(port));
    await ensureRunning();
  }

  await begin();
  const deployment: Deployment = JSON.parse(readFileSync(files.deployment, "utf8"));
  const stopping = new AbortController();
  let savedHash: string | undefined;
  let saveAfter = 0;
  let lastOfWork: number | undefined;

  async function saveWhenDue({ hash }: Block) {
    if (hash === savedHash || Date.now() < saveAfter) return;
    // Another process of the platform may have just saved it.
    if (Date.now() - statSync(files.saved).mtimeMs < SAVE_MS) return;
    const started = Date.now();
    await save();
    savedHash = hash;
    saveAfter = Date.now() + Math.max(SAVE_MS, 20 * (Date.now() - started));
  }

  /**
   * Mines a few empty blocks to make the last transactions final, since blocks otherwise come with transactions only.
   */
  async function settle(block: Block) {
    const number = Number(block.number);
    if (lastOfWork === undefined || block.transactions.length > 0) lastOfWork = number;
    if (number < lastOfWork + FINALITY) await ask(rpcUrl(), "evm_mine");
  }

  async function look() {
    const block = await ask<Block>(rpcUrl(), "eth_getBlockByNumber", "latest", false).catch(() => undefined);
    if (block) {
      await settle(block);
      await saveWhenDue(block);
    } else if (!findNode() && !stopping.signal.aborted) {
      log.error("A chain of the sandbox stopped under the running server and is started again.", { chainId });
      await lock.exclusively(ensureRunning);
    }
  }

  async function watch() {
    while (!stopping.signal.aborted) {
      await sleep(WATCH_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await look().catch((error) =>
        log.error("A chain of the sandbox could not be checked or restarted.", { chainId, error }),
      );
    }
  }
  const watching = watch();

  return {
    settings: {
      chainId,
      name: options.name,
      rpcUrl: rpcUrl(),
      sandbox: true,
      confirmations: 1,
      finality: FINALITY,
      ...deployment,
    },
    get pid() {
      return pid;
    },
    async stop(isLast) {
      stopping.abort();
      await watching;
      if (!isLast || !findNode()) return;
      await save();
      process.kill(pid, "SIGTERM");
      if (!(await waitUntilGone(pid, 10_000))) process.kill(pid, "SIGKILL");
    },
  };
}
