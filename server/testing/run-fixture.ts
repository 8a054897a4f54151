import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithTest } from "./children.ts";

const FIXTURES = fileURLToPath(new URL("cleanup-fixtures", import.meta.url));
const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

/** Runs one of the deliberately failing files until its output ends, and returns the output. */
export function runFixture(name: string, env: Record<string, string> = {}): Promise<string> {
  const args = [VITEST, "run", "--config", join(FIXTURES, "vitest.config.ts"), name];
  return new Promise((ended) =>
    endWithTest(
      execFile(
        process.execPath,
        args,
        { env: { ...process.env, ...env, NO_COLOR: "1", FORCE_COLOR: undefined } },
        (_, stdout, stderr) => ended(stdout + stderr),
      ),
    ),
  );
}
