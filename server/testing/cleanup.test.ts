import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "#server/boot/processes.ts";
import { endWithTest } from "./children.ts";

const FIXTURES = fileURLToPath(new URL("cleanup-fixtures", import.meta.url));
const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

/** Runs one of the deliberately failing files until its output ends; returns the pids of the processes it started. */
async function runFixture(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "cleanup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "children");
  const args = [VITEST, "run", "--config", join(FIXTURES, "vitest.config.ts"), name];
  const output = await new Promise<string>((ended) =>
    endWithTest(
      execFile(
        process.execPath,
        args,
        { env: { ...process.env, CHILDREN: file, NO_COLOR: "1", FORCE_COLOR: undefined } },
        (_, stdout, stderr) => ended(stdout + stderr),
      ),
    ),
  );
  return { output, children: readFileSync(file, "utf8").trim().split("\n").map(Number) };
}

test.each([
  ["a test fails", "fails", "1 failed | 1 passed", 1],
  ["a file fails while it is read", "unreadable", "On purpose.", 1],
  ["the worker is killed", "worker-dies", "Worker", 2],
])("leaves no process, and the run ends, where %s", async (_, fixture, words, count) => {
  const { output, children } = await runFixture(fixture);
  expect(output).toContain(words);
  expect(children).toHaveLength(count);
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});

test("no function registers hooks for the file's end, where vitest may not see them any more", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = ["app", "components", "db", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => join(folder, path)),
  );
  expect(files.length).toBeGreaterThan(300);
  const isLate = (file: string) => /^[ \t]+afterAll\(/m.test(readFileSync(join(root, file), "utf8"));
  expect(files.filter(isLate)).toEqual([]);
});
