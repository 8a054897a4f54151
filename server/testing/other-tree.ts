import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTree } from "./copy-tree.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_ARCHIVE = 500_000_000;

function git(...args: string[]): Buffer {
  return execFileSync("git", args, { cwd: ROOT, maxBuffer: LONGEST_ARCHIVE });
}

/** A commit of this repository, with a tree of its own. */
export interface OtherTree {
  commit: string;
  /** The short hash and the subject. */
  title: string;
  folder: string;
}

/** Returns the full hash of a commit; throws for a name of none. */
export const commitOf = (name: string) => git("rev-parse", "--verify", `${name}^{commit}`).toString().trim();

/**
 * Puts the sources of a commit into a folder of its own, with their packages (those of this tree where they are the same)
 * and their own patched driver, and removes it after the work.
 */
export async function withOtherTree<Result>(
  commit: string,
  work: (tree: OtherTree) => Result | Promise<Result>,
): Promise<Result> {
  const data = join(ROOT, ".data");
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, "tree-"));
  try {
    execFileSync("tar", ["-x", "-C", folder], { input: git("archive", "--format=tar", commit) });
    copyTree(join(ROOT, "node_modules"), join(folder, "node_modules"), linkSync);
    execFileSync(process.execPath, [join(folder, "server/boot/set-up.mjs"), "install"], { stdio: "inherit" });
    const title = git("log", "-1", "--format=%h %s", commit).toString().trim();
    return await work({ commit, title, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
