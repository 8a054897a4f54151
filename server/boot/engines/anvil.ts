import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findAnvil } from "../find-anvil.mjs";

export interface AnvilOptions {
  chainId: number;
  port: number;
  /** The file for its output. */
  logFile: string;
  /** The state to start with. */
  stateFile?: string | undefined;
  /** The initial time of a chain without a state, in Unix seconds. */
  timestamp?: number | undefined;
  /** True if the process outlives its parent, in a group of its own. */
  detached?: boolean;
}

/** Calls the node; throws if it returns an error. */
export async function ask<Result>(rpcUrl: string, method: string, ...params: unknown[]): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Starts a node on loopback; resolves once the node responds. */
export async function launchAnvil(options: AnvilOptions): Promise<ChildProcess> {
  const { chainId, port, logFile, stateFile, timestamp, detached = false } = options;
  const output = openSync(logFile, "a", 0o600);
  const child = spawn(
    findAnvil() ?? "anvil",
    [
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--chain-id",
      String(chainId),
      "--quiet",
      // Web pages must not reach it.
      "--no-cors",
      // No accounts with public keys, and the states of a few blocks only, since each takes half a megabyte.
      "--accounts",
      "0",
      "--gas-limit",
      "100000000",
      "--prune-history",
      "64",
      ...(stateFile ? ["--load-state", stateFile] : []),
      ...(timestamp ? ["--timestamp", String(timestamp)] : []),
    ],
    {
      cwd: "/",
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
      detached,
      stdio: ["ignore", output, output],
    },
  );
  let failed: Error | undefined;
  child.once("error", (error) => {
    failed = error;
  });
  const rpcUrl = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (failed)
      throw new Error("The chain did not start: install Foundry's anvil on the PATH, or set CHAINS.", {
        cause: failed,
      });
    const answered = await ask<string>(rpcUrl, "eth_chainId").catch(() => undefined);
    if (child.exitCode !== null || child.signalCode !== null || (answered && Number(answered) !== chainId))
      throw new Error(`The chain ${chainId} did not start on port ${port}; ${logFile} says why.`);
    if (answered) return child;
    if (Date.now() > deadline)
      throw new Error(`The chain ${chainId} was not ready in a minute; see ${logFile}.`);
    await sleep(10);
  }
}
