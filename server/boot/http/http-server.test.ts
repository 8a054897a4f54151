import { expect, test } from "vitest";
import { bodyOf, startHttpServer } from "#server/testing/http-server.ts";
import { createHttpServer } from "./http-server.ts";

const { handler, seen, origin, sendRaw } = await startHttpServer();

test("calls handlers by the first segment of the path and hands everything else to Next.js", async () => {
  const texts = await Promise.all(
    ["/v1", "/v1?x=1", "/v1/other", "/health", "/v10", "/healthy", "/", "/docs/v1"].map(async (path) =>
      (await fetch(origin + path)).text(),
    ),
  );
  expect(texts).toEqual([
    "handler",
    "handler",
    "handler",
    "handler",
    "next /v10",
    "next /healthy",
    "next /",
    "next /docs/v1",
  ]);
});

test("builds the request's address from BASE_URL, whatever its Host says", async () => {
  const answer = await sendRaw(
    "POST http://evil.example/v1/echo?a=1 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
  );
  expect(bodyOf(answer)).toEqual({ method: "POST", url: "https://platform.example/v1/echo?a=1", text: "hi" });
});

test("shows a repeated header in the raw headers, and joined in the others", async () => {
  await sendRaw(
    "GET /v1/other HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\nAuthorization: Bearer two\r\nConnection: close\r\n\r\n",
  );
  expect(seen.request?.rawHeaders).toEqual([
    "Host",
    "a",
    "Authorization",
    "Bearer one",
    "Authorization",
    "Bearer two",
    "Connection",
    "close",
  ]);
  expect(seen.request?.headers.authorization).toBe("Bearer one, Bearer two");
  expect(seen.request?.remoteAddress).toBe("127.0.0.1");
});

test("refuses requests that a proxy in front could parse differently", async () => {
  const post = "POST /v1/size HTTP/1.1\r\nHost: a\r\n";
  const chunked = "Transfer-Encoding: chunked\r\n";
  const rest = "\r\n2\r\nhi\r\n0\r\n\r\nGET /v1/other HTTP/1.1\r\nHost: a\r\n\r\n";
  for (const bytes of [
    `${post}Content-Length: 5\r\n${chunked}${rest}`,
    `${post}${chunked}${chunked}${rest}`,
    `${post}Transfer-Encoding: gzip, chunked\r\n${rest}`,
    `${post}Transfer-Encoding: chunked, identity\r\n${rest}`,
    `${post}Transfer-Encoding : chunked\r\n${rest}`,
    `${post}Content-Length: 2, 2\r\n\r\nhi`,
    `${post}Content-Length: +2\r\n\r\nhi`,
    `${post}${chunked}\r\n2\nhi\n0\n\n`,
    `${post}${chunked}\r\nfffffffffffffffff\r\nhi`,
    `${post}X: a\r\n b\r\n\r\n`,
    `${post}X: a\rb\r\n\r\n`,
    `${post}X: a\0b\r\n\r\n`,
    "GET /v1/a\0b HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /v1/a HTTP/1.1\nHost: a\n\n",
    "GET /v1/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    `POST /v1/size HTTP/1.0\r\nConnection: keep-alive\r\n${chunked}${rest}`,
    "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
  ]) {
    const answer = await sendRaw(bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(bodyOf(answer).error.code).toBe("invalid_request");
  }
});

test("sends the length of a complete response", async () => {
  const whole = await fetch(`${origin}/v1/whole`);
  expect(whole.headers.get("content-length")).toBe("5");
  const head = await fetch(`${origin}/v1/whole`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const cookies = await fetch(`${origin}/v1/cookies`);
  expect(cookies.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(cookies.headers.get("content-length")).toBe(null);
});

test("answers malformed HTTP with the error envelope", async () => {
  for (const bytes of [
    "NONSENSE\r\n\r\n",
    "GET /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n",
  ]) {
    const answer = await sendRaw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(bodyOf(answer)).toMatchObject({
      ok: false,
      error: {
        code: "invalid_request",
        status: 400,
        retryable: false,
        operationState: "not_started",
        docUrl: "https://platform.example/docs/errors/invalid_request",
      },
    });
    expect(answer).toMatch(/\r\nx-request-id: req_[0-9a-z]{26}\r\n/);
  }
});

test("names the bound that headers pass", async () => {
  const answer = await sendRaw(`GET /v1 HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(bodyOf(answer).error.message).toBe(
    "The request line and headers are larger than 16 KB; send fewer or shorter ones.",
  );
});

test("answers 500 with the envelope when a handler throws", async () => {
  const answer = await fetch(`${origin}/v1/broken`);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    ok: false,
    error: { code: "internal", status: 500, operationState: "unknown" },
  });
});

test("forbids sniffing with every answer, and asks for HTTPS where it is reached by HTTPS", async () => {
  const headersOf = ({ headers }: Response) => [
    headers.get("x-content-type-options"),
    headers.get("strict-transport-security"),
  ];
  for (const path of ["/v1/whole", "/v1/cookies", "/v1/events", "/v1/broken", "/health", "/a-page"])
    expect(headersOf(await fetch(origin + path))).toEqual(["nosniff", "max-age=31536000"]);
  const plain = createHttpServer({ baseUrl: "http://localhost:3000", handlers: { "/v1": handler } });
  const url = `http://127.0.0.1:${await plain.listen(0, "127.0.0.1")}/v1/whole`;
  expect(headersOf(await fetch(url))).toEqual(["nosniff", null]);
  await plain.close(100);
});

test("takes the client's address from a trusted proxy only, the last that is not one", async () => {
  const behind = createHttpServer({
    baseUrl: "https://platform.example",
    handlers: { "/v1": handler },
    trustedProxies: ["127.0.0.1", "10.0.0.0/8"],
  });
  const url = `http://127.0.0.1:${await behind.listen(0, "127.0.0.1")}/v1/other`;
  const forwarded = { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9, 10.1.2.3" } };
  await fetch(url, forwarded);
  expect(seen.request?.remoteAddress).toBe("203.0.113.9");
  await fetch(`${origin}/v1/other`, forwarded);
  expect(seen.request?.remoteAddress).toBe("127.0.0.1");
  await behind.close(100);
});

test("passes the platform's own address and the true client to Next.js", async () => {
  const claims = {
    "x-forwarded-for": "6.6.6.6",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
  };
  const answer = await fetch(`${origin}/headers`, { headers: claims });
  expect(await answer.json()).toMatchObject({
    host: "platform.example",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "platform.example",
    "x-forwarded-proto": "https",
  });
});
