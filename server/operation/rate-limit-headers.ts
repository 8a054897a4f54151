import type { LimitState } from "./admission.ts";

/**
 * Returns `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for the limits that
 * applied to a call: one policy per selector and kind, the tightest of the key and its ancestors. `charged`
 * is the part of `creditsPerDay` that the call has used since it was admitted.
 */
export function rateLimitHeaders(states: readonly LimitState[], charged: number): Record<string, string> {
  const tightest = new Map<string, LimitState>();
  for (const state of states) {
    const used = state.kind === "creditsPerDay" ? charged : 0;
    const limit = { ...state, remaining: Math.max(0, state.remaining - used) };
    const key = `${limit.selector} ${limit.kind}`;
    const known = tightest.get(key);
    if (
      !known ||
      limit.remaining < known.remaining ||
      (limit.remaining === known.remaining && limit.limit < known.limit)
    ) {
      tightest.set(key, limit);
    }
  }
  if (tightest.size === 0) return {};
  const policies: string[] = [];
  const left: string[] = [];
  for (const { selector, kind, limit, remaining, resetMs } of tightest.values()) {
    const unit = {
      requestsPerMinute: ";w=60",
      creditsPerDay: ";w=86400",
      maxConcurrent: ';qu="concurrent-requests"',
    }[kind];
    const reset = resetMs === null ? "" : `;t=${Math.max(0, Math.ceil(resetMs / 1000))}`;
    policies.push(`"${selector}";q=${limit}${unit}`);
    left.push(`"${selector}";r=${remaining}${reset}`);
  }
  return { "ratelimit-policy": policies.join(", "), ratelimit: left.join(", ") };
}
