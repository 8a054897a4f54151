import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const exists = (path: string) => existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

const matrix = read("docs/security-matrix.md");
const rows = matrix.split("\n").filter((line) => /^\| (API|V)\d/.test(line));
const ID = /API\d+|V\d+\.\d+\.\d+/g;
const idsOf = (row: string) => row.split(" | ")[0]?.match(ID) ?? [];

/** The tests named in the rows: a file, then names of its tests. */
const named = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+\.(?:test|spec)\.ts)`((?:[:,] `[^`]+`)*)/g)].map(([, file = "", names = ""]) => ({
    file,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  })),
);

test("each test that the security matrix names is there", () => {
  const missing = named.flatMap(({ file, names }) => {
    if (!exists(file)) return [file];
    const source = read(file);
    const isThere = (name: string) => source.includes(`"${name}"`) || source.includes(`\`${name}\``);
    return names.filter((name) => !isThere(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
  expect(named.filter(({ names }) => names.length === 0)).toEqual([]);
});

test("the security matrix has every item of the API Security Top 10, held by tests", () => {
  const held = rows.filter((row) => row.includes(".test.ts`: `")).flatMap(idsOf);
  const items = held.filter((id) => id.startsWith("API"));
  expect(items).toEqual(Array.from({ length: 10 }, (_, nth) => `API${nth + 1}`));
});

test("the security matrix has each requirement once, and explains each gap", () => {
  const ids = rows.flatMap(idsOf);
  expect(ids.filter((id, nth) => ids.indexOf(id) !== nth)).toEqual([]);
  const explained: string[] = matrix.slice(matrix.indexOf("## Gaps")).match(ID) ?? [];
  const gaps = rows.filter((row) => /\bgaps?\b/.test(row));
  expect(gaps.filter((row) => !idsOf(row).some((id) => explained.includes(id)))).toEqual([]);
});
