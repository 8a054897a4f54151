/** A request over HTTP, as the platform's own server or a route file of Next.js hands it to a handler. */
export interface HttpRequest {
  readonly method: string;
  /** The platform's own origin with the request's path and query; the request's `Host` is not used. */
  readonly url: string;
  /** Values by lower-case name; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values, alternately, as they were sent: only here are repeated headers visible. */
  readonly rawHeaders: readonly string[];
  /** The client's address; behind a trusted proxy the one that the proxy forwards. */
  readonly remoteAddress: string;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
  /** Closes the connection at once, even if the response is not fully sent. */
  cut(): void;
  /** Reads the whole body; fails if the client disconnects before its end. */
  readBody(): Promise<Uint8Array>;
  /** Returns the body as a stream, or null if there is none. Call either this or `readBody`, once. */
  streamBody(): ReadableStream<Uint8Array> | null;
}

/** A handler's response. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** Returns a response; by default 200 without headers. */
export function reply(
  body: HttpResponse["body"],
  { status = 200, headers = {} }: Partial<Omit<HttpResponse, "body">> = {},
): HttpResponse {
  return { status, headers, body };
}

/** Converts the request for a library that takes fetch's `Request`; by default without its body. */
export function toFetchRequest(
  { url, method, headers, signal }: HttpRequest,
  changed: { url?: string; body?: Uint8Array | undefined } = {},
): Request {
  return new Request(changed.url ?? url, {
    method,
    headers: Object.entries(headers) as [string, string][],
    signal,
    body: changed.body as BodyInit | undefined,
  });
}

export function toFetchResponse({ status, headers, body }: HttpResponse): Response {
  const response = new Response(body as BodyInit | null, { status });
  for (const [name, value] of Object.entries(headers)) {
    response.headers.delete(name);
    for (const one of [value].flat()) response.headers.append(name, one);
  }
  return response;
}

export function fromFetchResponse({ status, headers, body }: Response): HttpResponse {
  const cookies = headers.getSetCookie();
  return reply(body, {
    status,
    headers: { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) },
  });
}
