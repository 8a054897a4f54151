import { linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const LEFT_OUT = new Set([".git", ".data", ".next", "test-results", "playwright-report"]);

/** Copies a tree of sources, without its history, data and builds; packages, which nobody edits meanwhile, are hard-linked. */
export function copyTree(from: string, to: string, place: (source: string, target: string) => void): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) copyTree(source, target, entry.name === "node_modules" ? linkSync : place);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else place(source, target);
  }
}
