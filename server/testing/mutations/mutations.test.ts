import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutated } from "./mutation.ts";
import { MUTATIONS } from "./mutations.ts";

test.each(MUTATIONS)("$name changes what stands in the sources once", ({ changes }) => {
  for (const { file } of changes) {
    const text = readFileSync(file, "utf8");
    expect(mutated(file, text, changes)).not.toBe(text);
  }
});

const tested = MUTATIONS.flatMap(({ name, proof }) => (proof.by === "tests" ? [{ name, ...proof }] : []));

test.each(tested)("$name names tests that exist", ({ file, named }) => {
  expect(readFileSync(file, "utf8")).toContain(`("${named}`);
});
