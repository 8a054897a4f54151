import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import solc from "solc";
import type { Abi, Hex } from "viem";

/** A contract ready to be deployed. */
export interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

/** The input of the thread, which returns the artifacts by name and ends. */
export interface Sources {
  sources: Record<string, { content: string }>;
  /** The contracts that are wanted, each in the file of its name. */
  names: readonly string[];
}

const require = createRequire(import.meta.url);

function compile({ sources, names }: Sources): Record<string, Artifact> {
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

parentPort?.postMessage(compile(workerData));
