import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTree } from "../copy-tree.ts";

// `npm run upgrade -- COMMIT …` upgrades an installation from each of these commits of this repository to the sources as
// they are: the older release really runs, from a tree of its own with its own packages and its own patched driver.
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const LONGEST_ARCHIVE = 500_000_000;

function git(...args: string[]): Buffer {
  return execFileSync("git", args, { cwd: ROOT, maxBuffer: LONGEST_ARCHIVE });
}

/** Puts the sources of a commit into this folder, with their packages: those of this tree where they are the same. */
function checkOut(commit: string, tree: string): void {
  execFileSync("tar", ["-x", "-C", tree], { input: git("archive", "--format=tar", commit) });
  copyTree(join(ROOT, "node_modules"), join(tree, "node_modules"), linkSync);
  execFileSync(process.execPath, [join(tree, "server/boot/set-up.mjs"), "install"], { stdio: "inherit" });
}

/** Upgrades from a commit; returns true if all promises were kept. */
function upgradeFrom(commit: string): boolean {
  const subject = git("log", "-1", "--format=%h %s", commit).toString().trim();
  const data = join(ROOT, ".data");
  mkdirSync(data, { recursive: true });
  const tree = mkdtempSync(join(data, "upgrade-"));
  try {
    checkOut(commit, tree);
    const vitest = [
      "vitest",
      "run",
      "--config",
      "server/testing/vitest.config.ts",
      "server/boot/rolling-restart",
    ];
    const { status } = spawnSync("npx", ["--no-install", ...vitest], {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, UPGRADE_FROM: tree, UPGRADE_COMMIT: commit },
    });
    console.log(`${status === 0 ? "upgraded" : "BROKEN"}  from ${subject}`);
    return status === 0;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error("Usage: npm run upgrade -- COMMIT …, each a commit of this repository");
  process.exit(2);
}
const commits = names.map((name) => git("rev-parse", "--verify", `${name}^{commit}`).toString().trim());
const broken = commits.filter((commit) => !upgradeFrom(commit));
process.exit(broken.length === 0 ? 0 : 1);
