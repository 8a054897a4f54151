import { expect, test } from "vitest";
import { metadataOf, textsOf } from "./metadata.ts";

const before = { tier: 1, live: true, owner: "ada", note: null, tags: ["a"] };

test("shows what is no text as JSON", () => {
  expect(textsOf(before)).toEqual({ tier: "1", live: "true", owner: "ada", note: "null", tags: '["a"]' });
});

test("keeps the type of every value that was not changed", () => {
  const texts = { ...textsOf(before), tier: "2", added: "new" };
  expect(metadataOf(texts, before)).toEqual({ ...before, tier: "2", added: "new" });
});

test("drops what was removed", () => {
  expect(metadataOf({ owner: "ada" }, before)).toEqual({ owner: "ada" });
});
