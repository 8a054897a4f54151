import type { CallOptions } from "./call.ts";
import { ConnectionError, errorOf, PlatformError, TimeoutError } from "./errors.ts";
import type { ErrorBody } from "./generated/types.ts";

/** The platform's request for a payment, in the format of x402. */
export interface PaymentRequired {
  x402Version: number;
  resource?: unknown;
  accepts: {
    scheme: string;
    network: string;
    asset: string;
    amount: string;
    payTo: string;
    maxTimeoutSeconds: number;
    extra: { name: string; version: string };
  }[];
}

/** Signs a payment; returns the value of `Payment-Signature`. */
export type Payment = (asked: PaymentRequired) => Promise<string>;

export interface PlatformOptions {
  /** The key, or a function that returns it before each call. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The platform's address, with or without `/v1`. */
  baseUrl: string;
  project?: string | undefined;
  endUser?: string | undefined;
  /** The timeout of one attempt; 60 seconds by default. */
  timeoutMs?: number | undefined;
  /** The maximum of retries; 2 by default. */
  maxRetries?: number | undefined;
  /** The longest wait before a retry that a response may request; 60 seconds by default. */
  longestWaitMs?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** Pays for credits; see `@managed-services/sdk/x402`. */
  payment?: Payment | undefined;
}

/** A request to send, with retries. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: BodyInit | undefined;
  /** True if the body can be sent only once. */
  once?: boolean;
  /** True if the response's body is left unread. */
  streams?: boolean;
  /** Extracts the caller's data from the response, for repeats. */
  dataOf?: (received: Received) => unknown;
  options: CallOptions;
}

/** A successful response; `json` is undefined if the body was left unread. */
export interface Received {
  response: Response;
  json: Record<string, unknown> | undefined;
}

const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/** Sends requests, and retries them if that is safe. */
export class Client {
  readonly #options: PlatformOptions;
  readonly baseUrl: string;

  constructor(options: PlatformOptions) {
    const scope = globalThis as { window?: unknown; document?: unknown };
    if (scope.window !== undefined && scope.document !== undefined)
      throw new PlatformError("API keys don't belong into browsers: call the platform from your backend.");
    this.#options = { ...options };
    this.baseUrl = addressOf(options.baseUrl);
  }

  /** Sends the request until it succeeds, with the payment that was signed for it before; throws a refusal. */
  async send(request: Request, signed?: string): Promise<Received> {
    const { maxRetries = this.#options.maxRetries ?? 2, signal } = request.options;
    let payment = signed;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(request, payment);
      if ("response" in outcome) return outcome;
      const { asked, error, waitMs } = outcome;
      if (asked && payment === undefined && this.#options.payment) {
        payment = await this.#options.payment(asked);
        attempt -= 1;
        continue;
      }
      const longestMs = this.#options.longestWaitMs ?? LONGEST_WAIT_MS;
      if (waitMs === null || (waitMs ?? 0) > longestMs || request.once || attempt >= maxRetries) throw error;
      await sleep(waitMs ?? backoff(attempt), signal);
    }
  }

  async #headers(
    { headers, options }: Request,
    payment: string | undefined,
  ): Promise<Record<string, string>> {
    const {
      apiKey,
      project = this.#options.project,
      endUser = this.#options.endUser,
    } = {
      ...this.#options,
      ...options,
    };
    const key = options.creditToken ?? (typeof apiKey === "function" ? await apiKey() : apiKey);
    // The error that fetch throws for an invalid header contains the header's value.
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new PlatformError("The API key is malformed.");
    const all: Record<string, string> = {
      ...headers,
      ...(key !== undefined &&
        (options.creditToken ? { "x-service-credit-token": key } : { authorization: `Bearer ${key}` })),
      ...(project !== undefined && { "x-service-project": project }),
      ...(endUser !== undefined && { "x-service-end-user": endUser }),
      ...(payment !== undefined && { "payment-signature": payment }),
    };
    for (const [name, value] of Object.entries(all)) all[name] = headerText(name, value);
    return all;
  }

  async #attempt(request: Request, payment: string | undefined): Promise<Received | Failure> {
    const { method, path, body, streams, options } = request;
    const { signal } = options;
    const headers = await this.#headers(request, payment);
    signal?.throwIfAborted();
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const send = this.#options.fetch ?? fetch;
    const { dataOf = (received) => received.json } = request;
    const repeat = request.once ? undefined : async () => dataOf(await this.send(request, payment));
    try {
      const response = await send(`${this.baseUrl}${path}`, {
        method,
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: "half" }),
      } as RequestInit);
      if (response.ok && streams) return { response, json: undefined };
      const text = await response.text();
      const json = envelopeOf(text);
      if (response.ok && json?.ok === true) return { response, json };
      const { error } = json ?? {};
      if (json?.ok === false && error) return refusalOf(error, response, repeat);
      return {
        error: new ConnectionError(`The answer is none of the platform's: status ${response.status}.`, {
          ...(repeat && { repeat }),
        }),
        waitMs: response.ok || [502, 503, 504].includes(response.status) ? waitOf(response) : null,
      };
    } catch (cause) {
      signal?.throwIfAborted();
      const details = { ...(repeat && { repeat }), cause };
      const error = deadline.signal.aborted
        ? new TimeoutError(`No answer to ${method} ${path} within ${timeoutMs} ms.`, details)
        : new ConnectionError(`No answer to ${method} ${path}: the connection failed.`, details);
      return { error, waitMs: undefined };
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Failure {
  error: PlatformError;
  /** The wait before the next attempt: undefined leaves it to the client, null forbids a retry. */
  waitMs: number | null | undefined;
  asked?: PaymentRequired;
}

function refusalOf(
  error: ErrorBody,
  response: Response,
  repeat: (() => Promise<unknown>) | undefined,
): Failure {
  const header = response.headers.get("payment-required");
  return {
    error: errorOf(
      error,
      repeat ?? (() => Promise.reject(new PlatformError("Its body was sent and is gone."))),
    ),
    waitMs: error.retryable ? waitOf(response) : null,
    ...(header !== null && { asked: JSON.parse(atob(header)) as PaymentRequired }),
  };
}

/** Returns the milliseconds that `Retry-After` requests. */
function waitOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isNaN(seconds)) return undefined;
  return seconds * 1000;
}

function backoff(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS) * (0.75 + Math.random() / 2);
}

interface Envelope extends Record<string, unknown> {
  ok?: unknown;
  error?: ErrorBody;
}

function envelopeOf(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a header's text in the form for fetch: one character per byte of its UTF-8. */
function headerText(name: string, value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses them.
  if (/[\x00-\x1f\x7f]/.test(value)) throw new PlatformError(`The header ${name} has control characters.`);
  return String.fromCharCode(...new TextEncoder().encode(value));
}

function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new PlatformError("baseUrl is no https address.");
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !local)
    throw new PlatformError("baseUrl is http: an API key would be readable on the way. Use https.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
}

/** Waits; rejects if the caller aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
