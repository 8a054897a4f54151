import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { readCommand } from "../server/boot/processes.ts";

/** Returns the processes of a server's parts, by name. */
export function readParts({ pid }: ChildProcess): Record<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const named = children.flatMap((child) => {
    const [, part] = readCommand(child).match(/\0part\0(\w+)\0/) ?? [];
    return part ? [[part, child] as const] : [];
  });
  return Object.fromEntries(named);
}
