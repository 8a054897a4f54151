import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromFetchResponse, type HttpRequest, type HttpResponse, reply } from "../http-message.ts";
import { createHttpServer } from "./http-server.ts";

const seen: { request?: HttpRequest; aborted?: Promise<void> } = {};

async function readAll(request: HttpRequest) {
  let size = 0;
  for await (const chunk of request.streamBody() ?? []) size += chunk.byteLength;
  return size;
}

/** What each path of the handler under test does. */
const answers: Record<string, (request: HttpRequest) => HttpResponse | Promise<HttpResponse>> = {
  "/v1/echo": async (request) => {
    const text = Buffer.from(await request.readBody()).toString();
    return reply(JSON.stringify({ method: request.method, url: request.url, text }));
  },
  "/v1/size": async (request) =>
    reply(String(await readAll(request)), { headers: { "content-type": "text/plain" } }),
  "/v1/refuse": () => reply("too large", { status: 413, headers: { "content-type": "text/plain" } }),
  "/v1/cookies": () => reply(null, { status: 204, headers: { "set-cookie": ["a=1", "b=2"] } }),
  "/v1/whole": () => fromFetchResponse(new Response("whole")),
  "/v1/broken": () => {
    throw new Error("A fault of the handler's own.");
  },
  "/v1/slow": async () => {
    await sleep(400);
    return reply("done");
  },
  "/v1/events": (request) => {
    const left = Promise.withResolvers<void>();
    seen.aborted = left.promise;
    request.signal.addEventListener("abort", () => left.resolve());
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")),
    });
    return reply(stream, { headers: { "content-type": "text/event-stream" } });
  },
};

async function handler(request: HttpRequest) {
  seen.request = request;
  const answer = answers[new URL(request.url).pathname];
  return answer ? answer(request) : reply("handler");
}

const server = createHttpServer({
  baseUrl: "https://platform.example",
  handlers: { "/v1": handler, "/health": handler },
  next: (message, answer) =>
    answer.end(message.url === "/headers" ? JSON.stringify(message.headers) : `next ${message.url}`),
});
let port: number;
let origin: string;

beforeAll(async () => {
  port = await server.listen(0, "127.0.0.1");
  origin = `http://127.0.0.1:${port}`;
});

afterAll(() => server.close(1000));

/** Sends bytes as they are and answers what comes back until the server closes; once it invites a body, sends that. */
async function sendRaw(text: string, body = "") {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => {
    received += data;
    if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write(body);
  });
  socket.on("error", () => undefined);
  socket.write(text);
  await new Promise((done) => socket.once("close", done));
  return received;
}

/** Sends bytes and looks for an answer only once all of them are sent, as simple clients do. */
async function sendThenRead(text: string) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("error", () => undefined);
  socket.write(text, (fault) => {
    if (fault) return;
    socket.on("data", (data) => {
      received += data;
    });
  });
  await new Promise((done) => socket.once("close", done));
  return received;
}

function bodyOf(answer: string) {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

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

test("makes the request's address of BASE_URL, whatever its Host says", async () => {
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

test("streams a body that is longer than memory should hold", async () => {
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < 64 ? controller.enqueue(chunk) : controller.close()),
  });
  const answer = await fetch(`${origin}/v1/size`, { method: "POST", body, duplex: "half" } as RequestInit);
  expect(await answer.text()).toBe("67108864");
});

test("answers before the body is read without cutting the connection", async () => {
  const head = `POST /v1/refuse HTTP/1.1\r\nHost: a\r\nContent-Length: ${4 * 1024 * 1024}\r\n\r\n`;
  const answer = await sendRaw(
    `${head}${"x".repeat(4 * 1024 * 1024)}GET /v1/other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
  expect(answer).toContain("too large");
  expect(answer).toMatch(/HTTP\/1\.1 200 OK[\s\S]*handler$/);
});

test("lets the answer arrive though it closes the connection before the body was read", async () => {
  const bodies = {
    "content-length: 12000000": "x".repeat(12_000_000),
    "transfer-encoding: chunked": `${`10000\r\n${"x".repeat(65_536)}\r\n`.repeat(180)}0\r\n\r\n`,
  };
  for (const [framing, body] of Object.entries(bodies)) {
    for (let nth = 0; nth < 3; nth++) {
      const answer = await sendThenRead(
        `POST /v1/refuse HTTP/1.1\r\nHost: a\r\n${framing}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n[\s\S]*too large$/);
    }
  }
});

test("lets the refusal of bytes that are no request arrive, whatever follows them", async () => {
  for (let nth = 0; nth < 3; nth++) {
    const answer = await sendThenRead(`NONSENSE\r\n\r\n${"x".repeat(12_000_000)}`);
    expect(bodyOf(answer).error.code).toBe("invalid_request");
  }
});

test("answers pipelined requests in their order, the refusal of a faulty one last", async () => {
  const slow = "GET /v1/slow HTTP/1.1\r\nHost: a\r\n";
  const faulty = await sendRaw(`${slow}\r\n${slow}\r\nNONSENSE\r\n\r\n`);
  expect(faulty.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
  const closed = await sendRaw(`${slow}Connection: close\r\n\r\n${slow}\r\n`);
  expect(closed.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
});

test("refuses whatever a proxy before it could take for another request", async () => {
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

test("serves others beside two thousand silent connections, slow headers and stalled bodies, and ends those", async () => {
  const hurried = createHttpServer({
    baseUrl: "https://platform.example",
    handlers: { "/v1": handler },
    patience: { headers: 1000, body: 500 },
  });
  const hurriedPort = await hurried.listen(0, "127.0.0.1");
  const open = (text: string) => {
    const socket = connect(hurriedPort, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => undefined);
    return new Promise<string>((done) => socket.once("close", () => done(received)));
  };
  const silent: Promise<string>[] = [];
  // As many at a time as a listening socket queues.
  for (let nth = 0; nth < 20; nth++) {
    silent.push(...Array.from({ length: 100 }, () => open("")));
    await sleep(10);
  }
  const slowHeaders = Array.from({ length: 50 }, () => open("GET /v1/other HTTP/1.1\r\nHost: a\r\nX-Slow: "));
  const stalled = ["echo", "size"].map((name) =>
    open(`POST /v1/${name} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhi`),
  );
  const answer = await fetch(`http://127.0.0.1:${hurriedPort}/v1/other`);
  expect(await answer.text()).toBe("handler");
  await Promise.all(silent);
  for (const received of await Promise.all(slowHeaders))
    expect(bodyOf(received).error.message).toBe("The request was not sent in time; send it again in one go.");
  for (const received of await Promise.all(stalled)) expect(received).toMatch(/^HTTP\/1\.1 500 /);
  await hurried.close(1000);
});

test("cuts a client that keeps on sending what nobody wants", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise((done) => socket.once("close", done));
  socket.write("POST /v1/refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
  const filler = Buffer.alloc(1024 * 1024);
  const more = () => socket.write(filler) && setImmediate(more);
  socket.on("drain", more);
  more();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(200_000_000);
});

test("invites a body only when the handler reads it", async () => {
  const head = "Host: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
  expect(await sendRaw(`POST /v1/refuse HTTP/1.1\r\n${head}`, "hi")).toMatch(/^HTTP\/1\.1 413 /);
  expect(await sendRaw(`POST /v1/size HTTP/1.1\r\n${head}`, "hi")).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*2$/,
  );
});

test("tells the length of an answer that is all there", async () => {
  const whole = await fetch(`${origin}/v1/whole`);
  expect(whole.headers.get("content-length")).toBe("5");
  const head = await fetch(`${origin}/v1/whole`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const cookies = await fetch(`${origin}/v1/cookies`);
  expect(cookies.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(cookies.headers.get("content-length")).toBe(null);
});

test("aborts the request's signal when the client leaves", async () => {
  const controller = new AbortController();
  const answer = await fetch(`${origin}/v1/events`, { signal: controller.signal });
  const chunk = await answer.body?.getReader().read();
  expect(new TextDecoder().decode(chunk?.value)).toBe("data: 1\n\n");
  controller.abort();
  await seen.aborted;
  expect(seen.request?.signal.aborted).toBe(true);
});

test("answers what is no HTTP with the error envelope", async () => {
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

test("tells Next.js the platform's own address and the true client", async () => {
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

test("finishes requests under way, ends streams, and closes", async () => {
  const other = createHttpServer({ baseUrl: "https://platform.example", handlers: { "/v1": handler } });
  const url = `http://127.0.0.1:${await other.listen(0, "127.0.0.1")}`;
  const events = await fetch(`${url}/v1/events`);
  const slow = fetch(`${url}/v1/slow`);
  await expect.poll(() => seen.request?.url).toContain("/v1/slow");
  const began = Date.now();
  await other.close(20_000);
  expect(await (await slow).text()).toBe("done");
  expect(await events.text()).toBe("data: 1\n\n");
  expect(Date.now() - began).toBeLessThan(10_000);
  await expect(fetch(`${url}/v1/other`)).rejects.toThrow("fetch failed");
});
