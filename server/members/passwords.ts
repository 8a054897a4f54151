import { hash, verify } from "@node-rs/argon2";

/** argon2id, the package's default, at OWASP's parameters: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let nobodysHash: Promise<string> | undefined;

/** Normalises the password, so that it has the same bytes on every keyboard. */
const bytesOf = (password: string) => new TextEncoder().encode(password.normalize("NFKC"));

/** Returns the PHC string to store for a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), COST);
}

/**
 * True if the password matches the hash. Takes equally long without a hash, so that timing does not reveal which
 * users exist.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  nobodysHash ??= hashPassword("nobody");
  const matches = await verify(stored ?? (await nobodysHash), bytesOf(password)).catch(() => false);
  return matches && stored !== undefined;
}
