import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { log } from "#server/base/log.ts";
import type { Artifact, Sources } from "./solc-thread.ts";

const OWN = ["Multicall3", "SandboxBridge", "SandboxToken", "WrappedEther"] as const;
const UNISWAP = {
  UniswapV3Factory: "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  QuoterV2: "@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json",
  SwapRouter: "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json",
  NonfungiblePositionManager:
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
} as const;

type ContractName = (typeof OWN)[number] | keyof typeof UNISWAP;

/** Every contract of the sandbox. */
export type Artifacts = Record<ContractName, Artifact>;

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("./contracts", import.meta.url));
/** The cache of compiled contracts: beside the installed packages, with which it is deleted. */
export const cacheFolder = join(dirname(require.resolve("solc/package.json")), "..", ".cache");

function readSources(folder: string) {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, { content: readFileSync(join(folder, name), "utf8") }]),
  );
}

/** Compiles in a separate thread: otherwise the event loop would block for seconds and new connections time out. */
async function compile(task: Sources): Promise<Record<string, Artifact>> {
  const thread = new Worker(join(import.meta.dirname, "solc-thread.ts"), { execArgv: [], workerData: task });
  const [artifacts] = await once(thread, "message");
  return artifacts;
}

/** Contracts of a folder, each in the file of its name, compiled once per version of their sources. */
export async function compileContracts<Name extends string>(
  folder: string,
  names: readonly Name[],
): Promise<Record<Name, Artifact>> {
  const sources = readSources(folder);
  const { version } = require("solc/package.json");
  const digest = createHash("sha256")
    .update(JSON.stringify([version, sources]))
    .digest("hex");
  const file = join(cacheFolder, `sandbox-contracts-${digest.slice(0, 16)}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    const compiled = await compile({ sources, names });
    keep(file, JSON.stringify(compiled));
    return compiled;
  }
}

/** If the packages' folder is not writable, the next first start compiles again. */
function keep(file: string, text: string) {
  try {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch (error) {
    log.warn("The compiled contracts could not be kept; the next start compiles them again.", {
      file,
      error,
    });
  }
}

let own: Promise<Record<(typeof OWN)[number], Artifact>> | undefined;

/** The contracts of the sandbox: our own, compiled once for all chains, and Uniswap's as they were published. */
export async function readArtifacts(): Promise<Artifacts> {
  own ??= compileContracts(folder, OWN);
  const published = Object.entries(UNISWAP).map(([name, path]) => [name, require(path) as Artifact]);
  return { ...(await own), ...Object.fromEntries(published) };
}
