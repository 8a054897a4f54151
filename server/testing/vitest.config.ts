import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { mendDriver } from "../boot/mend-driver.mjs";
import { LongestFirst } from "./longest-first.ts";

// Where packages were installed without scripts.
mendDriver();

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["{app,components,db,server}/**/*.test.{ts,tsx}"],
    // They need the production build, and run by vitest.next.config.ts.
    exclude: [...configDefaults.exclude, "server/boot/{copy-runtime,next-start}.test.ts"],
    globalSetup: "server/testing/global-setup.ts",
    setupFiles: "server/testing/setup-file.ts",
    pool: "forks",
    // More than the cores of a small machine: half of the time, tests wait for deadlines and for processes.
    maxWorkers: 5,
    // Every file starts its platform anew and ends it; reading all modules anew too costs more than most files' tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // What is waited for comes on a slow and busy machine too, where processes alone take seconds to start.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 100 } },
    // A failed comparison says both sides whole: it may not come again.
    chaiConfig: { truncateThreshold: 2000 },
  },
});
