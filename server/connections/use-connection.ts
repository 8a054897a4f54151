import { defined } from "#server/base/defined.ts";
import { invalid } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { OutboundError } from "#server/providers/http/outbound-error.ts";
import {
  asResponse,
  type SafeAnswer,
  type SafeFetchOptions,
  safeFetch,
} from "#server/providers/http/safe-fetch.ts";
import { accessToken } from "./access-token.ts";
import { beginUse, judgeUse, readRow, type Use } from "./begin-use.ts";
import { recordFailure, recordRefusal, recordSuccess } from "./condition.ts";
import { outboundFailure } from "./outbound-failure.ts";
import type { ConnectionRow } from "./queries.ts";
import { openPart } from "./secrets.ts";

export interface ConnectionRequest
  extends Pick<SafeFetchOptions, "method" | "body" | "signal" | "timeoutMs" | "maximumBytes"> {
  headers?: Record<string, string>;
}

/**
 * A connection in use. Each call checks it again, so that a change takes effect at once. Do not use within a
 * transaction.
 */
export interface UsedConnection {
  /** Sends a request with the credential; refuses other hosts. Redirects are returned, not followed. */
  fetch(url: string | URL, request?: ConnectionRequest): Promise<Response>;
  /** Calls an operator's service by `send`, which gets the credential's header; refuses other hosts. */
  lend(url: URL, send: (credential: Record<string, string>) => Promise<SafeAnswer>): Promise<SafeAnswer>;
}

/**
 * Returns the use of a connection that the caller sees. Every use is audited with the secret's version before it is
 * sent.
 */
export async function useConnection(use: Use): Promise<UsedConnection> {
  const { authType } = await readRow(use);
  return {
    async fetch(target, request = {}) {
      const url = readUrl(target);
      const { headers = {}, ...rest } = request;
      const plain = plainHeaders(headers);
      const allowLoopback = platform().settings.sandbox;
      const answer = await withCredential({ ...use, authType }, url, ([name, value]) => {
        plain.set(name, value);
        return safeFetch(url, { ...rest, headers: Object.fromEntries(plain), allowLoopback });
      });
      return asResponse(answer);
    },
    async lend(url, send) {
      return withCredential({ ...use, authType }, url, ([name, value]) => send({ [name]: value }));
    },
  };
}

function readUrl(target: string | URL): URL {
  if (!URL.canParse(String(target))) throw invalid("url", `${target} is not a valid address.`);
  return new URL(target);
}

/** Headers that control the request itself. */
const STEERING =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/;

function plainHeaders(headers: Record<string, string>): Headers {
  let plain: Headers;
  try {
    plain = new Headers(headers);
  } catch {
    throw invalid("headers", "A name or a value is not one that a header can have.");
  }
  const steering = [...plain.keys()].find((name) => STEERING.test(name));
  if (steering) throw invalid(`headers.${steering}`, "It steers the request itself. Leave it out.");
  return plain;
}

type Credential = [name: string, value: string];

/** Sends with the credential; if an access token is refused, once more with a new token. */
async function withCredential(
  use: Use & { authType: ConnectionRow["authType"] },
  url: URL,
  send: (credential: Credential) => Promise<SafeAnswer>,
): Promise<SafeAnswer> {
  if (use.authType !== "oauth2_client") {
    const row = await beginUse(use, url);
    await use.sending?.();
    return settled(row, url, await sent(row, url, () => send(credentialOf(row))));
  }
  await judgeUse(use, url);
  const token = await accessToken(use);
  const row = await beginUse(use, url);
  await use.sending?.();
  const answer = await sent(row, url, () => send(["authorization", `Bearer ${token.value}`]));
  if (answer.status !== 401) return settled(row, url, answer);
  await answer.start(0);
  const next = await accessToken(use, token.generation);
  const again = await beginUse(use, url);
  return settled(again, url, await sent(again, url, () => send(["authorization", `Bearer ${next.value}`])));
}

function credentialOf(row: ConnectionRow): Credential {
  const secret = openPart("secret", row, row.secret);
  if (row.authType === "api_key") return [defined(row.headerName), secret];
  if (row.authType === "bearer") return ["authorization", `Bearer ${secret}`];
  return ["authorization", `Basic ${Buffer.from(`${row.username}:${secret}`).toString("base64")}`];
}

async function sent(row: ConnectionRow, url: URL, send: () => Promise<SafeAnswer>): Promise<SafeAnswer> {
  try {
    return await send();
  } catch (error) {
    const failure = outboundFailure(error, url.host);
    const { reason } = error as OutboundError;
    const code = reason === "timeout" ? "timeout" : "unreachable";
    // A caller who disconnected says nothing about the outside system.
    if (reason !== "aborted") await recordFailure(row, { code, message: failure.message });
    throw failure;
  }
}

/** Records whether the target accepts the secret: a response of 401 refuses it, any other accepts it. */
async function settled(row: ConnectionRow, url: URL, answer: SafeAnswer): Promise<SafeAnswer> {
  if (answer.status === 401) await recordRefusal(row, url);
  else await recordSuccess(row);
  return answer;
}
