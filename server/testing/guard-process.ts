import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineGuard, openEngineGuard } from "../boot/engines/engine-guard.ts";

let guard: EngineGuard | undefined;

/** Ends a process soon after this one, however this one ends, even if the other is suspended. */
export function guardProcess(pid: number | undefined, signals: "INT QUIT" | "TERM KILL" = "TERM KILL"): void {
  if (pid === undefined) return;
  if (!guard) {
    // Where the next test run looks for remains.
    const folder = join(tmpdir(), `managed-services-test-${process.pid}-guard`);
    mkdirSync(folder, { recursive: true });
    guard = openEngineGuard(folder, 0);
  }
  guard.add(pid, signals);
}
