import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { patchDriver } from "../boot/patch-driver.mjs";
import { LongestFirst } from "./longest-first.ts";

// The folder of binaries if packages were installed without scripts.
patchDriver();

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["{app,components,db,server}/**/*.test.{ts,tsx}"],
    // These need the production build, and run with vitest.next.config.ts.
    exclude: [...configDefaults.exclude, "server/boot/{copy-runtime,http/next-start}.test.ts"],
    globalSetup: "server/testing/global-setup.ts",
    setupFiles: "server/testing/setup-file.ts",
    pool: "forks",
    // Twice the cores of a small machine: tests also wait for deadlines, and three would leave a quarter of them idle.
    maxWorkers: 4,
    // Every file starts and stops a platform; loading all modules again as well would cost more than most files' tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Slow and busy machines need time, too: there, starting processes alone takes seconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 100 } },
    coverage: {
      provider: "v8",
      include: ["db/**/*.ts", "server/**/*.ts"],
      exclude: ["**/*.test.ts", "server/{bench,testing}/**"],
      reporter: ["text-summary", ["text", { file: "coverage.txt" }], "html"],
      reportsDirectory: ".data/coverage",
    },
    // A failed comparison prints both sides completely: the failure may not occur again.
    chaiConfig: { truncateThreshold: 2000 },
  },
});
