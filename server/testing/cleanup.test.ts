import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "#server/boot/processes.ts";
import { runFixture } from "./run-fixture.ts";

/** Runs one of the deliberately failing files; returns its output and the pids of the processes that it started. */
async function runWithChildren(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "cleanup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "children");
  const output = await runFixture(name, { CHILDREN: file });
  return { output, children: readFileSync(file, "utf8").trim().split("\n").map(Number) };
}

test.each([
  ["a test fails", "fails", "1 failed | 1 passed", 1],
  ["a file fails while it is read", "unreadable", "On purpose.", 1],
  ["the worker is killed", "worker-dies", "Worker", 2],
])("leaves no process, and the run ends, where %s", async (_, fixture, words, count) => {
  const { output, children } = await runWithChildren(fixture);
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
