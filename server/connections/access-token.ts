import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { connections } from "#db/schema/connections.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import { safeFetch } from "#server/providers/http/safe-fetch.ts";
import { beginUse, readRow, type Use } from "./begin-use.ts";
import { breakConnection, recordFailure, type UseFailure } from "./condition.ts";
import { outboundFailure } from "./outbound-failure.ts";
import type { ConnectionRow } from "./queries.ts";
import { openPart, sealPart } from "./secrets.ts";

const FETCH_MS = 10_000;
const WAIT_MS = 15_000;
/** A token is no longer sent when this little of its lifetime is left; a tenth of a shorter lifetime. */
const MARGIN_MS = 10_000;
/** The lifetime assumed for a token whose server names none. */
const DEFAULT_SECONDS = 300;

export interface AccessToken {
  value: string;
  /** The number of the fetch that returned the token; a rejected token leads to the next fetch. */
  generation: number;
}

const TokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8000}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().min(0).max(10_000_000).default(DEFAULT_SECONDS),
});

/**
 * Returns an access token of an `oauth2_client` connection (RFC 6749, 4.4): the stored one while it is valid and not
 * the rejected one, else a new one. A lease in the row lets a single process fetch it; the others wait without
 * holding a connection or a transaction.
 */
export async function accessToken(use: Use, rejected?: number): Promise<AccessToken> {
  const deadline = performance.now() + WAIT_MS;
  for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
    const row = await readRow(use);
    const stored = storedToken(row, rejected);
    if (stored) return stored;
    const lease = await takeLease(row);
    if (lease) return fetchToken(use, row, lease);
    if (performance.now() > deadline)
      throw new ApiError(
        "service_unavailable",
        `Connection ${row.id} waited ${WAIT_MS / 1000} s for an access token of ${tokenHost(row)}.`,
        { retryAfterSeconds: 5 },
      );
    await sleep(pause);
  }
}

const tokenHost = (row: ConnectionRow) => new URL(defined(row.tokenUrl)).host;

function storedToken(row: ConnectionRow, rejected: number | undefined): AccessToken | null {
  const { token, tokenExpiresAt, tokenGeneration } = row;
  if (!token || !tokenExpiresAt || tokenGeneration === rejected) return null;
  if (tokenExpiresAt.getTime() <= currentMs()) return null;
  return { value: openPart("token", row, token), generation: tokenGeneration };
}

/** Takes the lease to fetch the next token; returns its end, or null for the processes that have to wait. */
async function takeLease(row: ConnectionRow): Promise<Date | null> {
  const [leased] = await platform()
    .database.db.update(connections)
    .set({ tokenLeaseUntil: sql`clock_timestamp() + make_interval(secs => ${(FETCH_MS + 5000) / 1000})` })
    .where(
      and(
        sameToken(row),
        or(isNull(connections.tokenLeaseUntil), lt(connections.tokenLeaseUntil, sql`clock_timestamp()`)),
      ),
    )
    .returning({ until: connections.tokenLeaseUntil });
  return leased?.until ?? null;
}

const sameToken = ({ accountId, id, secretVersion, tokenGeneration }: ConnectionRow) =>
  and(
    eq(connections.accountId, accountId),
    eq(connections.id, id),
    eq(connections.secretVersion, secretVersion),
    eq(connections.tokenGeneration, tokenGeneration),
  );

async function fetchToken(use: Use, row: ConnectionRow, lease: Date): Promise<AccessToken> {
  const ownLease = and(sameToken(row), eq(connections.tokenLeaseUntil, lease));
  const { db } = platform().database;
  try {
    const url = new URL(defined(row.tokenUrl));
    // Recorded as a separate use, since the client's secret is sent to the token server.
    await beginUse(use, url, ".token");
    const { access_token: value, expires_in: seconds } = await askFor(row, url);
    await db
      .update(connections)
      .set({
        token: sealPart("token", row, value),
        tokenExpiresAt: new Date(currentMs() + seconds * 1000 - Math.min(MARGIN_MS, seconds * 100)),
        tokenGeneration: row.tokenGeneration + 1,
        tokenLeaseUntil: null,
      })
      .where(ownLease);
    return { value, generation: row.tokenGeneration + 1 };
  } catch (error) {
    await db.update(connections).set({ tokenLeaseUntil: null }).where(ownLease);
    throw error;
  }
}

async function askFor(row: ConnectionRow, url: URL): Promise<z.output<typeof TokenAnswer>> {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (row.tokenScopes?.length) form.set("scope", row.tokenScopes.join(" "));
  const answer = await safeFetch(url, {
    method: "POST",
    headers: {
      authorization: basicOf(row),
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    },
    body: String(form),
    timeoutMs: FETCH_MS,
    maximumBytes: 64 * 1024,
    allowLoopback: platform().settings.sandbox,
  }).catch((error) => failed(row, error));
  const text = await answer.text().catch((error) => failed(row, error));
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    return refused(
      row,
      "token_refused",
      `${url.host} refused the client (${answer.status}${oauthError(text)}).`,
    );
  if (answer.status !== 200) {
    await recordFailure(row, { code: "failed", message: `${url.host} answered ${answer.status}.` });
    throw new ApiError(
      "service_unavailable",
      `${url.host} gave no access token: it answered ${answer.status}.`,
    );
  }
  const token = TokenAnswer.safeParse(parsed(text));
  if (!token.success) return refused(row, "token_unusable", `${url.host} answered no bearer token.`);
  return token.data;
}

/** Returns the basic credentials; name and secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicOf(row: ConnectionRow): string {
  const encoded = [defined(row.clientId), openPart("secret", row, row.secret)].map((part) =>
    new URLSearchParams({ "": part }).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(":")).toString("base64")}`;
}

async function failed(row: ConnectionRow, error: unknown): Promise<never> {
  const failure = outboundFailure(error, `The token server ${tokenHost(row)}`);
  const code = error instanceof OutboundError && error.reason === "timeout" ? "timeout" : "unreachable";
  await recordFailure(row, { code, message: failure.message });
  // Requesting a token has no effect that a repeat would duplicate.
  if (failure.code === "policy_denied") throw failure;
  throw new ApiError(
    "service_unavailable",
    failure.message,
    { operationState: "not_started" },
    { cause: error },
  );
}

async function refused(row: ConnectionRow, code: UseFailure["code"], message: string): Promise<never> {
  await breakConnection(row, { code, message });
  throw new ApiError("service_failed", `Connection ${row.id} is broken: ${message}`, {
    operationState: "not_started",
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const OAUTH_ERRORS = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]);

/** Returns the error code of the response (RFC 6749, 5.2) and nothing else of its text. */
function oauthError(text: string): string {
  const answer = z.object({ error: z.string() }).safeParse(parsed(text));
  return answer.success && OAUTH_ERRORS.has(answer.data.error) ? `, ${answer.data.error}` : "";
}
