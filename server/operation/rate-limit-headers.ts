import type { LimitState } from "./admission.ts";

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for the limits that governed a call: a
 * policy per selector and kind, the tightest of the key and its ancestors.
 */
export function rateLimitHeaders(limits: readonly LimitState[]): Record<string, string> {
  const tightest = new Map<string, LimitState>();
  for (const limit of limits) {
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
  const states: string[] = [];
  for (const { selector, kind, limit, remaining, resetMs } of tightest.values()) {
    const unit = {
      requestsPerMinute: ";w=60",
      creditsPerDay: ";w=86400",
      maxConcurrent: ';qu="concurrent-requests"',
    }[kind];
    const reset = resetMs === null ? "" : `;t=${Math.max(0, Math.ceil(resetMs / 1000))}`;
    policies.push(`"${selector}";q=${limit}${unit}`);
    states.push(`"${selector}";r=${remaining}${reset}`);
  }
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}
