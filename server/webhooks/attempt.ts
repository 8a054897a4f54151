import type { StoredAttempt } from "#db/schema/webhooks.ts";
import { currentTime } from "#server/base/clock.ts";

import { asOutboundError } from "#server/providers/http/outbound-error.ts";
import { type SafeAnswer, safeFetch } from "#server/providers/http/safe-fetch.ts";

const ANSWER_MS = 15_000;
const SNIPPET_BYTES = 1024;
const SNIPPET_LENGTH = 500;

/** The result of an attempt. */
export interface Attempted {
  attempt: StoredAttempt;
  succeeded: boolean;
  /** True if the endpoint answered 410, so that it no longer exists. */
  gone: boolean;
  /** True if the endpoint responded at all. */
  answered: boolean;
  /** How long the endpoint asked to wait. */
  retryAfterMs: number;
}

/** Sends a delivery once. Only a 2xx within 15 seconds is a success; redirects are not followed. */
export async function attemptDelivery(
  url: string,
  headers: Record<string, string>,
  body: string,
  { signal, allowLoopback, at }: { signal: AbortSignal; allowLoopback: boolean; at: Date },
): Promise<Attempted> {
  const started = performance.now();
  const made = (facts: Pick<StoredAttempt, "status" | "error" | "responseSnippet">): StoredAttempt => ({
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - started),
    ...facts,
  });
  try {
    const answer = await safeFetch(url, {
      method: "POST",
      body,
      signal,
      allowLoopback,
      timeoutMs: ANSWER_MS,
      headers: { "content-type": "application/json", "user-agent": "managed-services/1", ...headers },
    });
    const { status } = answer;
    const succeeded = status >= 200 && status < 300;
    const responseSnippet = await snippetOf(answer);
    return {
      attempt: made({ status, error: succeeded ? null : faultOf(status), responseSnippet }),
      succeeded,
      gone: status === 410,
      answered: true,
      retryAfterMs: retryAfterOf(answer.headers["retry-after"], at),
    };
  } catch (reason) {
    const attempt = made({ status: null, error: asOutboundError(reason).message, responseSnippet: null });
    return { attempt, succeeded: false, gone: false, answered: false, retryAfterMs: 0 };
  }
}

function faultOf(status: number): string {
  if (status === 410) return "The endpoint answered 410: it is gone, and the webhook is disabled.";
  const why = status >= 300 && status < 400 ? "redirects are not followed" : "only 2xx counts as received";
  return `The endpoint answered ${status}; ${why}.`;
}

/**
 * Returns the beginning of the response, as far as it can be stored. A response that breaks off later still counts.
 */
async function snippetOf(answer: SafeAnswer): Promise<string | null> {
  const bytes = await answer.start(SNIPPET_BYTES).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(bytes).toWellFormed().replaceAll("\0", "\u{FFFD}");
  return text.slice(0, SNIPPET_LENGTH).toWellFormed() || null;
}

function retryAfterOf(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Returns the result of an attempt that the platform itself could not make. */
export function unsent(): Attempted {
  const error = "The platform could not sign the delivery.";
  const attempt = {
    at: currentTime().toISOString(),
    status: null,
    durationMs: 0,
    error,
    responseSnippet: null,
  };
  return { attempt, succeeded: false, gone: false, answered: false, retryAfterMs: 0 };
}
