import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { span, telemetry } from "#server/base/telemetry.ts";
import { endTurn } from "#server/base/turn-of-call.ts";
import { addressesOf, isReachable, literalOf, type Reach } from "./addresses.ts";
import { Exchange } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";

export interface SafeFetchOptions {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array | null;
  signal?: AbortSignal;
  /** For everything: name, connection, response and its body. */
  timeoutMs?: number;
  /** The maximum size of the response's body. */
  maximumBytes?: number;
  /** The maximum size of the request's body. */
  maximumRequestBytes?: number;
  /** True if this machine may be reached too, as in the sandbox. */
  allowLoopback?: boolean;
  /** True for addresses that the operator chose, which are not restricted. */
  trusted?: boolean;
}

/** A response whose body can be read once, by any of its readers. */
export interface SafeAnswer {
  status: number;
  /** By lower-case name; repeated ones are joined by commas. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** Reads the whole body. */
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  /** Reads at most this many bytes; drops the rest with the connection. */
  start(bytes: number): Promise<Uint8Array>;
}

const MB = 1024 * 1024;
const agents = new Map<Reach, Agent>();

/** Connections are pooled per reach, so that none with a wider reach serves a restricted call. */
function agentFor(reach: Reach): Agent {
  const known = agents.get(reach);
  if (known) return known;
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { timeout: 10_000, lookup: guardedLookup(reach) },
  });
  agents.set(reach, agent);
  return agent;
}

/** Resolves a name for one connection, which is made to exactly the checked addresses. */
function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const refused = addresses.find((address) => !isReachable(address, reach));
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = found;
        if (refused !== undefined || !first) callback(refusal(hostname, refused), "");
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
}

function refusal(hostname: string, address: string | undefined): OutboundError {
  return address === undefined
    ? new OutboundError("name_not_found", `${hostname} has no address.`)
    : new OutboundError(
        "address_refused",
        `${hostname} resolves to ${address}, which is not a public address.`,
      );
}

/**
 * Sends one HTTP request to an address that somebody else chose: never to a private, link-local or metadata address,
 * never along a redirect, within limits of time and size. Throws `OutboundError` without a response.
 */
export function safeFetch(url: string | URL, options: SafeFetchOptions = {}): Promise<SafeAnswer> {
  return span(
    `HTTP ${options.method ?? "GET"}`,
    () => ({ kind: "client", attributes: hostOf(url) }),
    async () => {
      endTurn();
      const traceparent = telemetry.tracing?.traceparent();
      const answer = await dispatch(
        url,
        traceparent ? { ...options, headers: { traceparent, ...options.headers } } : options,
      );
      telemetry.tracing?.set({ "http.response.status_code": answer.status });
      return answer;
    },
  );
}

const hostOf = (url: string | URL) => ({ "server.address": URL.parse(url)?.hostname });

async function dispatch(url: string | URL, options: SafeFetchOptions): Promise<SafeAnswer> {
  const { method = "GET", headers = {}, body = null, signal, timeoutMs = 30_000 } = options;
  const { maximumBytes = 10 * MB, maximumRequestBytes = 10 * MB } = options;
  const target = new URL(url);
  const reach = options.trusted ? "any" : options.allowLoopback ? "loopback" : "public";
  refuseUnsafe(target, reach);
  if (body !== null && Buffer.byteLength(body) > maximumRequestBytes)
    throw new OutboundError("too_large", `The request has more than ${maximumRequestBytes} bytes.`);

  const exchange = new Exchange(target, { timeoutMs, maximumBytes, signal });
  agentFor(reach).dispatch(
    {
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    exchange,
  );
  return exchange.begun;
}

/** Refuses a faulty URL before its name is resolved: by its scheme, a user in it, or its IP address. */
function refuseUnsafe({ protocol, username, password, hostname }: URL, reach: Reach): void {
  if (protocol !== "https:" && protocol !== "http:")
    throw new OutboundError("address_refused", `${protocol} is neither https: nor http:.`);
  if (username || password)
    throw new OutboundError("address_refused", "The address has a user or password in it.");
  const literal = literalOf(hostname);
  if (literal !== null && !isReachable(literal, reach))
    throw new OutboundError("address_refused", `${literal} is not a public address.`);
}

/** Returns a response as `fetch` returns it, for libraries that expect one. */
export function asResponse({ status, headers, body }: SafeAnswer): Response {
  const empty = status === 204 || status === 205 || status === 304;
  const stream = empty ? null : (Readable.toWeb(Readable.from(body)) as unknown as BodyInit);
  return new Response(stream, { status, headers });
}
