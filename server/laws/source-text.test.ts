import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles as files, filesIn, root } from "#server/testing/source-files.ts";

const everyFile = filesIn("app", "clients", "components", "db", "e2e", "server");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test("only server/env and server/boot read the environment", () => {
  const readers = files.filter((file) => /process\.env(?!\.NODE_ENV)/.test(textOf(file)));
  // The reference only shows readers how to read theirs; the command line and the examples run elsewhere.
  const allowed = (file: string) =>
    /^(server\/(env|boot|testing|bench|docs)|clients\/examples)\//.test(file) ||
    file === "clients/cli/src/environment.ts";
  expect(readers.filter((file) => !allowed(file))).toEqual([]);
});

test("only starts, providers, logs and the measurement of the difference read this machine's own time of day", () => {
  const allowed =
    /^server\/(boot|providers|testing|bench|docs)\/|^server\/(base\/(clock|log)|health\/clock-skew)\.ts$/;
  const readers = files
    .filter((file) => file.startsWith("server/") && !allowed.test(file))
    .filter((file) => /\bDate\.now\b|new Date\(\)/.test(textOf(file)));
  // Others use server/base/clock.ts: what they store is compared by processes whose clocks differ.
  expect(readers).toEqual([]);
});

test("no literal object or list is spread into another", () => {
  const onOneLine = /^\s*\.\.\.(\{ .+ \},?|\[.+\],)$/m;
  const onSeveral = /^([ \t]*)\.\.\.[[{]\n([\s\S]*?)\n\1[\]}],?$/m;
  const packs = (text: string) => onOneLine.test(text) || onSeveral.test(text);
  expect(everyFile.filter((file) => packs(textOf(file)))).toEqual([]);
});

test("no file has more than 300 lines, but those that a program writes", () => {
  const written = /^clients\/typescript\/src\/generated\/|\.d\.ts$/;
  const long = everyFile.filter(
    (file) => !written.test(file) && textOf(file).trimEnd().split("\n").length > 300,
  );
  expect(long).toEqual([]);
});
