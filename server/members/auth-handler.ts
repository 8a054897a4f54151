import { type HttpHandler, type HttpRequest, type HttpResponse, reply } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { readBytes } from "#server/operation/json-body.ts";
import { platform } from "#server/platform.ts";
import { authOptions, nextAuth } from "./auth-options.ts";
import { knownBrowserCookie } from "./known-browser.ts";
import { readSessionToken, sessionCookie } from "./session-token.ts";

/** The maximum size of a form. Forms are parsed before authentication, and have a few short fields. */
const MAX_FORM_BYTES = 16 * 1024;
const ENDPOINT = "/api/auth/";
/** The next-auth actions that our pages use; next-auth has more. */
const ACTIONS = new Set(["csrf", "providers", "signin", "signout", "callback", "error"]);

/** A response object that records the headers, status and body that next-auth writes. */
class Recorder {
  readonly headers: Record<string, string | string[]> = { "cache-control": "no-store" };
  #status = 200;
  body: string | null = null;

  getHeader(name: string) {
    return this.headers[name.toLowerCase()];
  }
  setHeader(name: string, value: string | string[]) {
    this.headers[name.toLowerCase()] = value;
  }
  addCookie(cookie: string) {
    this.headers["set-cookie"] = [this.headers["set-cookie"] ?? [], cookie].flat();
  }
  status(status: number) {
    this.#status = status;
    return this;
  }
  json(body: unknown) {
    this.setHeader("content-type", "application/json");
    this.body = JSON.stringify(body);
  }
  send(body: unknown) {
    if (typeof body === "object") return this.json(body);
    this.body = body === undefined ? null : String(body);
  }
  end() {}

  reply(requestId: string): HttpResponse {
    this.headers["x-request-id"] = requestId;
    return reply(this.body, { status: this.#status, headers: this.headers });
  }
}

function cookiesOf(header: string | undefined): Record<string, string> {
  const pairs = header?.split(/; */).map((pair) => pair.split(/=(.*)/s).slice(0, 2)) ?? [];
  return Object.fromEntries(pairs.map(([name, value = ""]) => [name, decoded(value)]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

async function formOf(request: HttpRequest): Promise<Record<string, unknown>> {
  const text = new TextDecoder().decode(await readBytes(request, MAX_FORM_BYTES));
  if (!request.headers["content-type"]?.startsWith("application/json"))
    return Object.fromEntries(new URLSearchParams(text));
  return JSON.parse(text);
}

/** `/api/auth`: next-auth's endpoints as a handler of the server. */
export const handleAuth: HttpHandler = async (request) => {
  const requestId = newId("request");
  const url = new URL(request.url);
  const path = url.pathname.slice(ENDPOINT.length).split("/");
  const { headers, method } = request;
  const recorder = new Recorder();
  const origin = headers.origin;
  const foreign = method === "POST" && origin !== undefined && origin !== platform().settings.baseUrl;
  if (foreign || !ACTIONS.has(path[0] ?? "")) return recorder.status(foreign ? 403 : 404).reply(requestId);
  const body = method === "POST" ? await formOf(request).catch(() => null) : {};
  if (!body) return recorder.status(400).reply(requestId);
  const message = {
    method,
    headers,
    cookies: cookiesOf(headers.cookie),
    query: { ...Object.fromEntries(url.searchParams), nextauth: path },
    body,
  };
  const from = { requestId, ip: request.remoteAddress, userAgent: headers["user-agent"] ?? null };
  const browser = {
    session: await readSessionToken(message.cookies[sessionCookie()]),
    known: message.cookies[knownBrowserCookie()],
  };
  const options = authOptions(from, browser, (cookie) => recorder.addCookie(cookie));
  await nextAuth(message as never, recorder as never, options);
  return recorder.reply(requestId);
};
