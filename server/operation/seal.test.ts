import { expect, test } from "vitest";
import { keyNumber, openFor, sealFor } from "./seal.ts";

const [first, second] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)];
const plain = new TextEncoder().encode("sealed before");

test("a sealed value begins with its key's number, which differs between keys", () => {
  expect([keyNumber(first), keyNumber(second)]).toEqual([86, 56]);
  for (const key of [first, second]) {
    const sealed = sealFor([key, first], "a context", plain);
    expect(sealed[0]).toBe(keyNumber(key));
    expect(openFor([first, second], "a context", sealed)).toEqual(plain);
  }
});

test("values open that were sealed before keys had numbers", () => {
  const sealed = Buffer.from(
    "2ee1d9610658980e2943558111ac88ff9e8532652d0f518bb8948bd82e9a765aa52eac63f294245dbc",
    "hex",
  );
  expect(sealed[0]).not.toBe(keyNumber(first));
  expect(openFor([second, first], "a context", sealed)).toEqual(plain);
  expect(openFor([second, first], "another context", sealed)).toBeNull();
});

test("a value opens under a key whose number another key has too", () => {
  const twin = Array.from({ length: 5000 }, (_, nth) => `secret ${nth}`).filter(
    (secret) => keyNumber(secret) === keyNumber(first),
  );
  expect(twin.length).toBeGreaterThan(1);
  const sealed = sealFor(first, "a context", plain);
  expect(openFor([...twin, first], "a context", sealed)).toEqual(plain);
});
