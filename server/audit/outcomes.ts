export const OUTCOMES = ["allowed", "denied", "error"] as const;

/** Returns the outcome of a request that was answered with this HTTP status. */
export function outcomeOf(status: number): (typeof OUTCOMES)[number] {
  return status >= 500 ? "error" : status >= 400 ? "denied" : "allowed";
}
