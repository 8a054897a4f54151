import { safeFetch } from "./safe-fetch.ts";

const TIMEOUT_MS = 2000;

/**
 * Sends a GET to an address that the operator chose; throws if nothing answers, or with a 5xx. Any other status shows
 * that the server works: credentials may be restricted to other paths.
 */
export async function ping(url: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await safeFetch(url, { headers, timeoutMs: TIMEOUT_MS, trusted: true });
  // Drops the body, which may be long.
  await answer.start(0);
  if (answer.status >= 500) throw new Error(`${new URL(url).host} answered ${answer.status}.`);
}
