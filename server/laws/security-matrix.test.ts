import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const exists = (path: string) => existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

const matrix = read("docs/security-matrix.md");
const rows = matrix.split("\n").filter((line) => /^\| (API|V)\d/.test(line));
const ID = /API\d+|V\d+\.\d+\.\d+/g;

/**
 * The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0: those of level 3 come last.
 * V17, WebRTC, does not apply as a whole.
 */
const ASVS: Record<string, readonly number[]> = {
  V1: [2, 9, 11, 3, 2],
  V2: [3, 3, 4, 1],
  V3: [0, 2, 4, 6, 5, 0, 2],
  V4: [3, 1, 2, 4],
  V5: [1, 3, 2, 3],
  V6: [3, 12, 4, 4, 5, 3, 0, 4],
  V7: [3, 4, 2, 5, 2, 2],
  V8: [2, 3, 1, 1],
  V9: [3, 4],
  V10: [2, 2, 4, 11, 5, 2, 3],
  V11: [2, 3, 3, 4, 1, 1],
  V12: [3, 2, 4],
  V13: [1, 5, 2, 5],
  V14: [2, 4, 3],
  V15: [3, 3, 7],
  V16: [1, 5, 4, 3, 3],
};

/** Returns the ids of a row; `V1.2.6 to V1.2.8` stands for those in between, too. */
function idsOf(row: string): string[] {
  const [place = ""] = row.split(" | ");
  const whole = place.replace(/(V\d+\.\d+\.)(\d+) to \1(\d+)/g, (_, section, first, last) =>
    numbered(section, Number(last))
      .slice(Number(first) - 1)
      .join(", "),
  );
  return whole.match(ID) ?? [];
}

const numbered = (section: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${section}${nth + 1}`);

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

test("the security matrix has every requirement of the ASVS's levels 1 and 2", () => {
  const required = Object.entries(ASVS).flatMap(([chapter, counts]) =>
    counts.flatMap((count, nth) => numbered(`${chapter}.${nth + 1}.`, count)),
  );
  const ids = new Set(rows.flatMap(idsOf).filter((id) => id.startsWith("V")));
  expect(required.filter((id) => !ids.has(id))).toEqual([]);
  expect([ids.size, required.length]).toEqual([246, 246]);
});

test("the security matrix has each requirement once, and explains each gap", () => {
  const ids = rows.flatMap(idsOf);
  expect(ids.filter((id, nth) => ids.indexOf(id) !== nth)).toEqual([]);
  const explained: string[] = matrix.slice(matrix.indexOf("## Gaps")).match(ID) ?? [];
  const gaps = rows.filter((row) => /\bgaps?\b/.test(row));
  expect(gaps.filter((row) => !idsOf(row).some((id) => explained.includes(id)))).toEqual([]);
});
