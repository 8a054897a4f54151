import { defineConfig } from "vitest/config";
import base from "../vitest.config.ts";

/** Runs files that fail deliberately, one after the other in one worker, for `cleanup.test.ts` and `last-answers.test.ts`. */
export default defineConfig({
  ...base,
  test: {
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    root: import.meta.dirname,
    include: ["*.fixture.ts"],
    setupFiles: "../setup-file.ts",
  },
});
