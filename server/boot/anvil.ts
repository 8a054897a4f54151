import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findAnvil } from "./find-anvil.mjs";

export interface AnvilOptions {
  chainId: number;
  port: number;
  /** Where its output goes. */
  logFile: string;
  /** The state that it begins with. */
  stateFile?: string | undefined;
  /** Where a chain without a state has its clock, in Unix seconds. */
  timestamp?: number | undefined;
  /** Whether the process outlives its parent, in a group of its own. */
  detached?: boolean;
}

/** Asks the node, or throws. */
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

/** Starts a node on loopback; it answers when this returns. */
export async function launchAnvil(options: AnvilOptions): Promise<ChildProcess> {
  const { chainId, port, logFile, stateFile, timestamp, detached = false } = options;
  const output = openSync(logFile, "a", 0o600);
  const child = spawn(
    findAnvil() ?? "anvil",
    [
      ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId), "--quiet"],
      // No web page may speak to it.
      "--no-cors",
      // No accounts whose keys everybody knows, and the states of few blocks, which take half a megabyte each.
      ...["--accounts", "0", "--gas-limit", "100000000", "--prune-history", "64"],
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
