import { spawnSync } from "node:child_process";
import { commitOf, type OtherTree, ROOT, withOtherTree } from "../other-tree.ts";

// `npm run upgrade -- COMMIT …` upgrades an installation from each of these commits of this repository to the sources as
// they are: the older release really runs, from a tree of its own with its own packages and its own patched driver.

/** Upgrades from a commit; returns true if all promises were kept. */
function upgradeFrom({ commit, title, folder }: OtherTree): boolean {
  const vitest = [
    "vitest",
    "run",
    "--config",
    "server/testing/vitest.config.ts",
    "server/boot/outages/rolling-restart",
  ];
  const { status } = spawnSync("npx", ["--no-install", ...vitest], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, UPGRADE_FROM: folder, UPGRADE_COMMIT: commit },
  });
  console.log(`${status === 0 ? "upgraded" : "BROKEN"}  from ${title}`);
  return status === 0;
}

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error("Usage: npm run upgrade -- COMMIT …, each a commit of this repository");
  process.exit(2);
}
const upgraded: boolean[] = [];
for (const commit of names.map(commitOf)) upgraded.push(await withOtherTree(commit, upgradeFrom));
process.exit(upgraded.includes(false) ? 1 : 0);
