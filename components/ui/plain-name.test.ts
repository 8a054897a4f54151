import { expect, test } from "vitest";
import { plainName } from "#components/ui/plain-name.ts";

test("shows each character that changes the direction of text, and leaves others as they are", () => {
  expect(plainName("Shop \u202Egnp.exe")).toBe("Shop ‹U+202E›gnp.exe");
  expect(plainName("\u200Ea\u200Fb\u061Cc\u2066d\u2069")).toBe(
    "‹U+200E›a‹U+200F›b‹U+061C›c‹U+2066›d‹U+2069›",
  );
  expect(plainName("שלום Café 🛒")).toBe("שלום Café 🛒");
});
