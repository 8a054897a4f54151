import { flushCompileCache } from "node:module";
import { operations } from "#server/operations.ts";
import type { Settings } from "#server/platform.ts";
import { startPlatform } from "#server/start-platform.ts";
import { testSettings } from "../settings.ts";

/** Starts the platform in a process that a test may kill. */
export async function startProcessPlatform(url: string, folder: string, settings: Partial<Settings> = {}) {
  const platform = await startPlatform(testSettings(folder, settings), url, operations);
  // All modules are loaded by now. Written at once, because a killed process would lose its compile cache.
  flushCompileCache();
  return platform;
}

/** Kills or suspends this process at the boundary that its options name. */
export function stopAt(options: { "kill-at"?: string; "freeze-at"?: string }) {
  return (boundary: string) => {
    if (boundary === options["kill-at"]) process.kill(process.pid, "SIGKILL");
    if (boundary === options["freeze-at"]) process.kill(process.pid, "SIGSTOP");
  };
}
