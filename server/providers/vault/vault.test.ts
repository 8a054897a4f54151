import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openVault } from "./vault.ts";

const secret = new Uint8Array(randomBytes(32));
const bytes = () => new Uint8Array(randomBytes(32));

test("opens a secret only in its own context", async () => {
  const key = bytes();
  const vault = openVault({ keys: () => [key] });
  const stored = await vault.seal(secret, "wallet/1");
  expect(await vault.use(stored, "wallet/1", (opened) => Buffer.from(opened).toString("hex"))).toBe(
    Buffer.from(secret).toString("hex"),
  );
  await expect(vault.use(stored, "wallet/2", () => "opened")).rejects.toThrow("belongs to something else");
});

test("refuses a secret of which a single bit was changed", async () => {
  const key = bytes();
  const vault = openVault({ keys: () => [key] });
  const { kekId, sealed } = await vault.seal(secret, "wallet/1");
  const altered = sealed.with(sealed.length - 1, defined(sealed.at(-1)) ^ 1);
  await expect(vault.use({ kekId, sealed: altered }, "wallet/1", () => "opened")).rejects.toThrow("altered");
});

test("wipes an opened secret when its use ends, however it ends", async () => {
  const key = bytes();
  const vault = openVault({ keys: () => [key] });
  const stored = await vault.seal(secret, "wallet/1");
  const seen: Uint8Array[] = [];
  await vault.use(stored, "wallet/1", (opened) => seen.push(opened));
  const failing = vault.use(stored, "wallet/1", (opened) => {
    seen.push(opened);
    throw new Error("Signing failed.");
  });
  await expect(failing).rejects.toThrow("Signing failed.");
  expect(seen).toEqual([new Uint8Array(32), new Uint8Array(32)]);
});

test("seals with the first key and opens secrets of any known key", async () => {
  const [first, second] = [bytes(), bytes()];
  const stored = await openVault({ keys: () => [first] }).seal(secret, "wallet/1");
  const after = openVault({ keys: () => [second, first] });
  const rewrapped = await after.rewrap(stored, "wallet/1");
  expect(rewrapped.kekId).toBe(after.current());
  const alone = openVault({ keys: () => [second] });
  expect(await alone.use(rewrapped, "wallet/1", (opened) => opened.length)).toBe(32);
  await expect(alone.use(stored, "wallet/1", () => "opened")).rejects.toThrow(
    "is not among the keys of the vault (VAULT_KEYS).",
  );
});
