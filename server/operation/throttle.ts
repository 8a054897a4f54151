import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { sql } from "drizzle-orm";
import ipaddr from "ipaddr.js";
import { platform } from "#server/platform.ts";
import { ApiError } from "./errors.ts";

/**
 * For each kind of target: the number of free attempts before every further one doubles the wait, and the
 * seconds after which one attempt is forgotten.
 */
const KINDS = {
  email: { free: 5, forgetSeconds: 600 },
  /** A browser in which the person has signed in before. */
  browser: { free: 5, forgetSeconds: 600 },
  password: { free: 5, forgetSeconds: 600 },
  code: { free: 5, forgetSeconds: 600 },
  address: { free: 30, forgetSeconds: 60 },
  reset: { free: 3, forgetSeconds: 600 },
  registration: { free: 20, forgetSeconds: 180 },
  document: { free: 30, forgetSeconds: 2 },
  authorization: { free: 100, forgetSeconds: 1 },
  /** The code that a program shows to its user. */
  userCode: { free: 5, forgetSeconds: 600 },
  signUp: { free: 100, forgetSeconds: 60 },
};
const LONGEST_WAIT_SECONDS = 900;

export type TryKind = keyof typeof KINDS;

/** The kinds whose targets are network addresses. */
const BY_ADDRESS: readonly TryKind[] = ["address", "registration", "document", "authorization", "signUp"];

function subjectOf(kind: TryKind, value: string): Uint8Array {
  const target = BY_ADDRESS.includes(kind) ? networkOf(value) : value;
  return new Uint8Array(createHash("sha256").update(`${kind}:${target}`).digest());
}

/** Returns an IPv4 address as it is, and the /64 network of an IPv6 address, which one subscriber usually has alone. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  return ipaddr.parse(address).toByteArray().slice(0, 8).join(".");
}

/**
 * Counts an attempt before it is made, so that parallel attempts cannot all pass, and refuses it while the
 * target must wait.
 */
export async function takeTry(kind: TryKind, value: string): Promise<void> {
  const { free, forgetSeconds } = KINDS[kind];
  const [row] = await platform().database.db.execute<{ wait: number }>(sql`
    select take_try(${subjectOf(kind, value)}, ${free}, ${forgetSeconds}, ${LONGEST_WAIT_SECONDS}) as wait`);
  const wait = row?.wait ?? 0;
  if (wait === 0) return;
  throw new ApiError("limit_exhausted", `Too many tries. Wait ${wait} second${wait === 1 ? "" : "s"}.`, {
    retryAfterSeconds: wait,
  });
}

/** Removes an attempt that turned out not to be a failure. */
export async function returnTry(kind: TryKind, value: string): Promise<void> {
  await platform().database.db.execute(sql`update sign_in_attempts
    set failures = greatest(failures - 1, 0) where subject = ${subjectOf(kind, value)}`);
}

/** Deletes the recorded failures after a successful proof. */
export async function forgetTries(kind: TryKind, value: string): Promise<void> {
  await platform().database.db.execute(
    sql`delete from sign_in_attempts where subject = ${subjectOf(kind, value)}`,
  );
}
