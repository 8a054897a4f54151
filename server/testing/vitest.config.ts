import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["{app,components,db,server}/**/*.test.{ts,tsx}"],
    globalSetup: "server/testing/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    // Every file starts its platform anew and ends it; reading all modules anew too costs more than most files' tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes on a slow machine too; by default a second has to do.
    expect: { poll: { timeout: 20_000 } },
  },
});
