/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Returns the error code of a thrown value from a system call, Node.js or PostgreSQL; undefined if it has
 * none.
 */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** The SQLSTATEs of a statement that waited for a lock for longer than `lock_timeout`, or in a circle. */
const LOCKED = new Set(["55P03", "40P01"]);

/** Returns true for the error of a statement that did not get its lock. */
export const isLockError = (thrown: unknown): boolean => LOCKED.has(codeOf(thrown) ?? "");
