import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../base/log.ts";
import { SettingsError } from "../env/settings-error.ts";
import { DatabaseUnusable } from "./await-database.ts";
import { releaseMemory } from "./collect-garbage.ts";
import { OtherVersion } from "./engines/initialise-postgres.ts";

/** How long a process may take to stop; its supervisor waits longer. */
export const STOP_MS = 60_000;

export type Stop = () => Promise<unknown> | unknown;

interface ProcessOptions {
  /** How long all stops may take together. */
  stopMs: number;
  /** Reports why the process did not start. */
  explain(error: Error): Promise<void> | void;
}

/** Runs the stops in reverse order. */
export async function stopAll(stops: Stop[]): Promise<void> {
  for (const stop of stops.toReversed()) {
    await Promise.resolve()
      .then(stop)
      .catch((error) => log.error("A part of the platform did not stop cleanly.", { error }));
  }
}

/**
 * Runs this process: `start` adds to its stops. Returns a function that ends the process with a code; a failed start
 * and an uncaught exception end it, too.
 */
export function runProcess(
  start: (stops: Stop[]) => Promise<void>,
  { stopMs, explain }: ProcessOptions,
): (code: number) => Promise<void> {
  const stops: Stop[] = [];
  let stoppingSince: number | undefined;

  async function stop(code: number) {
    // A second signal ends the process at once, which is harmless. Ctrl-C arrives twice: from the terminal and from
    // npm.
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > 1000) process.exit(130);
      return;
    }
    stoppingSince = Date.now();
    const stopped = await Promise.race([
      stopAll(stops).then(() => true),
      sleep(stopMs, false, { ref: false }),
    ]);
    if (!stopped) log.error("The process ends, although not everything stopped in time.", { stopMs });
    process.exit(code);
  }

  async function run() {
    try {
      await start(stops);
    } catch (error) {
      // A start that fails because a stop is in progress is not reported.
      if (stoppingSince !== undefined) return;
      await explain(error as Error);
      return stop(1);
    }
    flushCompileCache();
    releaseMemory();
  }

  // If nobody reads its log any more, the process continues without it.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  process.on("unhandledRejection", (error) =>
    log.error("A promise was rejected without a handler.", { error }),
  );
  process.on("uncaughtException", (error) => {
    log.error("The process failed and stops.", { error });
    void stop(1);
  });
  void run();
  return stop;
}

/** Returns the message of a failed start that the operator can fix; null if they need the error itself. */
export function explainStart(error: Error & { code?: string; port?: number }): string | null {
  if (error instanceof SettingsError || error instanceof DatabaseUnusable || error instanceof OtherVersion)
    return error.message;
  if (error.message.includes("unsupported startup parameter"))
    return "DATABASE_URL leads to a transaction pooler: set DATABASE_DIRECT_URL to the same database past it.";
  if (error.code === "EADDRINUSE")
    return `Port ${error.port} is taken by another process; end that one, or set PORT to another.`;
  return null;
}
