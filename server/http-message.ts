/** A request over HTTP, as the platform's own server or a route file of Next.js hands it to a handler. */
export interface HttpRequest {
  readonly method: string;
  /** The platform's own origin with the request's path and query: no part of it is the request's `Host`. */
  readonly url: string;
  /** Values by lower-case names, repeated ones joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values in turn, as they were sent: a repeated header is seen only here. */
  readonly rawHeaders: readonly string[];
  /** The client's address; behind a trusted proxy the one that it forwards. */
  readonly remoteAddress: string;
  /** Aborted when nobody waits for the rest of the answer. */
  readonly signal: AbortSignal;
  /** Closes the connection at once, whatever of the answer is unread. */
  cut(): void;
  /** The whole body; fails where the client leaves before its end. */
  readBody(): Promise<Uint8Array>;
  /** The body as it comes, or null without one. Either this or `readBody` is called, once. */
  streamBody(): ReadableStream<Uint8Array> | null;
}

/** What a handler answers. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** Makes a response; by default one of 200 without headers. */
export function reply(
  body: HttpResponse["body"],
  { status = 200, headers = {} }: Partial<Omit<HttpResponse, "body">> = {},
): HttpResponse {
  return { status, headers, body };
}

/** The request for a library that takes fetch's own; by default without its body. */
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
