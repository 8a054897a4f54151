import { expect, test } from "vitest";
import { startKms } from "#server/testing/kms.ts";
import { openVault } from "./vault.ts";

const kms = await startKms();
const local = [new Uint8Array(32).fill(1)];
const secret = new Uint8Array(32).fill(9);
const opened = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("wraps and unwraps with a key that never leaves the service, bound to its context", async () => {
  const vault = openVault({ keys: () => local, kms: kms.settings });
  const stored = await vault.seal(secret, "wallet/1");
  expect(stored.kekId).toBe(`aws-kms:${kms.settings.key}`);
  expect(await vault.use(stored, "wallet/1", opened)).toBe("09".repeat(32));
  expect(kms.seen).toEqual(["TrentService.Encrypt", "TrentService.Decrypt"]);
  await expect(vault.use(stored, "wallet/2", opened)).rejects.toThrow("belongs to something else");
});

test("unwraps data keys of the installation's own keys, and rewraps them by a rotation", async () => {
  const before = await openVault({ keys: () => local }).seal(secret, "wallet/1");
  const vault = openVault({ keys: () => local, kms: kms.settings });
  expect(await vault.use(before, "wallet/1", opened)).toBe("09".repeat(32));
  const after = await vault.rewrap(before, "wallet/1");
  expect(after.kekId).toBe(vault.current());
  const alone = openVault({ keys: () => [], kms: kms.settings });
  expect(await alone.use(after, "wallet/1", opened)).toBe("09".repeat(32));
});

test("says that the service is not available where it refuses the credentials", async () => {
  const vault = openVault({ keys: () => local, kms: { ...kms.settings, secretAccessKey: "another" } });
  await expect(vault.seal(secret, "wallet/1")).rejects.toThrow(
    "The key management service (VAULT_KMS_KEY) is not available.",
  );
});
