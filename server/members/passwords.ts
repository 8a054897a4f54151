import { hash, verify } from "@node-rs/argon2";

/** argon2id, the package's default, at OWASP's parameters: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let nobodysHash: Promise<string> | undefined;

/** One password is one sequence of bytes, however the keyboard composed it. */
const bytesOf = (password: string) => new TextEncoder().encode(password.normalize("NFKC"));

/** The PHC string to store of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), COST);
}

/** Whether it is the password behind the hash. Without a hash it takes as long, so that its time reveals nobody who exists. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  nobodysHash ??= hashPassword("nobody");
  const matches = await verify(stored ?? (await nobodysHash), bytesOf(password)).catch(() => false);
  return matches && stored !== undefined;
}
