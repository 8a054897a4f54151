/** Returns the headers of every response. */
export function answerHeaders(baseUrl: string): Record<string, string> {
  const headers: Record<string, string> = { "x-content-type-options": "nosniff" };
  // Not for subdomains: the operator's other servers may still use HTTP there.
  if (baseUrl.startsWith("https:")) headers["strict-transport-security"] = "max-age=31536000";
  return headers;
}

/**
 * Returns the headers that give Next.js the platform's own address and the true client, regardless of the request's
 * headers.
 */
export function forwardedHeaders(baseUrl: string, remoteAddress: string): Record<string, string> {
  const { host, protocol } = new URL(baseUrl);
  return {
    host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-for": remoteAddress,
  };
}
