import { expect, test } from "vitest";
import { metadataOf, textsOf } from "./metadata.ts";

const before = { tier: 1, live: true, owner: "ada", note: null, tags: ["a"] };

test("shows values that are not strings as JSON", () => {
  expect(textsOf(before)).toEqual({ tier: "1", live: "true", owner: "ada", note: "null", tags: '["a"]' });
});

test("keeps the type of unchanged values", () => {
  const texts = { ...textsOf(before), tier: "2", added: "new" };
  expect(metadataOf(texts, before)).toEqual({ ...before, tier: "2", added: "new" });
});

test("drops removed keys", () => {
  expect(metadataOf({ owner: "ada" }, before)).toEqual({ owner: "ada" });
});
