import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi, Hex } from "viem";
import { log } from "#server/log.ts";

/** A contract ready to be deployed. */
export interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

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
/** Where what takes long to make lies: beside the installed packages, and it goes with them. */
export const cacheFolder = join(dirname(require.resolve("solc/package.json")), "..", ".cache");

function readSources(folder: string) {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, { content: readFileSync(join(folder, name), "utf8") }]),
  );
}

async function compile(
  sources: ReturnType<typeof readSources>,
  names: readonly string[],
): Promise<Record<string, Artifact>> {
  const { default: solc } = await import("solc");
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: "cancun",
    // Without it the code does not depend on where the sources lie.
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  };
  const findImports = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings }), { import: findImports }),
  );
  const faults = (output.errors ?? []).filter(({ severity }: { severity: string }) => severity === "error");
  if (faults.length > 0) throw new Error(faults[0].formattedMessage);
  return Object.fromEntries(
    names.map((name) => {
      const { abi, evm } = output.contracts[`${name}.sol`][name];
      return [name, { abi, bytecode: `0x${evm.bytecode.object}` }];
    }),
  );
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
    const compiled = await compile(sources, names);
    keep(file, JSON.stringify(compiled));
    return compiled;
  }
}

/** Where packages can't be written, the next first start compiles again. */
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

/** The contracts of the sandbox: our own, compiled, and Uniswap's as they were published. */
export async function readArtifacts(): Promise<Artifacts> {
  const published = Object.entries(UNISWAP).map(([name, path]) => [name, require(path) as Artifact]);
  return { ...(await compileContracts(folder, OWN)), ...Object.fromEntries(published) };
}
