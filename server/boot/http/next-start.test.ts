import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { routes } from "#server/routes.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, PASSWORD, signUpAndIn, trySignIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { sendRaw } from "#server/testing/raw.ts";
import { openStream } from "#server/testing/streams.ts";
import { routeHandlers } from "#server/transports/route-handlers.ts";

// Only run by vitest.next.config.ts: `origin` is then `next start`, and `direct` the platform's own server beside it.
const api = await startApi();
const { key } = await api.createRootKey();
const authorization = `Bearer ${key}`;

type Sent = [method: string, path: string, headers?: Record<string, string> | [string, string][]];

// Headers of the connection and of Next.js; the others are the handler's.
const FRAMING = ["connection", "content-length", "date", "keep-alive", "transfer-encoding", "vary"];

async function ask(origin: string, [method, path, headers = {}]: Sent) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const answer = await sendRaw(origin + path, { method, headers: pairs });
  const compared = [...answer.headers].filter(([name]) => !FRAMING.includes(name)).sort();
  const whole = JSON.stringify({ status: answer.status, compared, body: answer.body });
  return whole.replaceAll(answer.headers.get("x-request-id") ?? "", "<request>");
}

/** Sends raw bytes; returns the response until the server closes. */
function sendBytes(bytes: string) {
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const twice = (name: string, ...values: string[]) => values.map((value): [string, string] => [name, value]);

test.for<Sent>([
  ["GET", "/v1"],
  ["GET", "/v1/nothing?a=1"],
  ["PUT", "/v1/projects/x"],
  ["GET", "/v1/projects"],
  ["GET", "/v1/projects", { authorization }],
  ["HEAD", "/v1/projects", { authorization }],
  ["GET", "/v1/projects?limit=0", { authorization, accept: "application/problem+json" }],
  ["GET", "/v1/projects", { authorization, "content-length": "1" }],
  ["GET", "/v1/projects", twice("authorization", authorization, authorization)],
  [
    "DELETE",
    "/v1/projects/x",
    [["authorization", authorization], ...twice("idempotency-key", "one-of-two", "two-of-two")],
  ],
  [
    "POST",
    "/v1/projects",
    [
      ["authorization", authorization],
      ["idempotency-key", "two-types"],
      ...twice("content-type", "application/json", "text/plain"),
    ],
  ],
  ["OPTIONS", "/v1/pricing"],
  ["GET", "/v1/projects/%00", { authorization }],
  ["DELETE", "/health"],
  ["GET", "/health/live"],
  ["GET", "/health/nothing"],
  ["GET", "/openapi.json/nothing"],
  ["GET", "/mcp"],
  ["POST", "/mcp/nothing"],
  ["POST", "/mcp", { authorization, origin: "http://foreign.example" }],
  ["GET", "/receipts/x"],
  ["GET", "/downloads/x"],
  ["GET", "/watch/x"],
  ["OPTIONS", "/watch/x"],
  ["GET", "/resume/x"],
  ["POST", "/resume/x"],
  ["GET", "/in/x"],
  ["POST", "/in/x"],
  ["GET", "/inspect"],
  ["POST", "/inspect"],
  ["GET", "/.well-known/jwks.json/x"],
  ["GET", "/api/bytes/files"],
  ["GET", "/api/trpc/me.read"],
  ["GET", "/api/trpc/nothing"],
  ["GET", "/api/auth/nothing"],
])("answers %s %s as the platform's own server does", async (sent) => {
  expect(await ask(api.origin, sent)).toBe(await ask(api.direct, sent));
});

test("answers 304 to the contract's own ETag", async () => {
  const { headers } = await api.send("HEAD", "/openapi.json");
  const again = await api.send("GET", "/openapi.json", {
    headers: { "if-none-match": String(headers.get("etag")) },
  });
  expect([again.status, again.body]).toEqual([304, null]);
});

test("takes a file of 50 MB, and hands it out whole and in parts", async () => {
  const bytes = randomBytes(50 * 1024 * 1024);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const headers = {
    "x-file-name": "large.bin",
    "content-type": "application/octet-stream",
    "x-content-sha256": sha256,
  };
  const { status, body } = await api.send("POST", "/v1/files", { key, bytes, headers });
  expect([status, body.file?.sizeBytes]).toEqual([201, 52_428_800]);
  const path = body.file.downloadUrl.replace("http://platform.test", "");
  const whole = await fetch(api.origin + path);
  const hash = createHash("sha256");
  for await (const chunk of whole.body ?? []) hash.update(chunk);
  expect(hash.digest("hex")).toBe(sha256);
  const part = await api.send("GET", path, { headers: { range: "bytes=52428798-" } });
  expect([part.status, part.body]).toEqual([206, bytes.subarray(52_428_798)]);
});

test("signs in, and answers the session by tRPC", async () => {
  const { email } = await signUpAndIn(api);
  const { error, setCookie, cookie } = await trySignIn(api, { email, password: PASSWORD });
  expect(error).toBe(null);
  expect(setCookie.length).toBeGreaterThan(1);
  const me = await caller(api, cookie).query("me.read");
  expect([me.status, me.data.email]).toEqual([200, email]);
});

test("takes the client's address only from trusted proxies: the last one that is not a proxy", async () => {
  const name = unique("Project");
  const headers = { "x-forwarded-for": "6.6.6.6, 203.0.113.9" };
  const { headers: answered } = await api.send("POST", "/v1/projects", { key, body: { name }, headers });
  const requestId = answered.get("x-request-id");
  const read = await api.send("GET", "/v1/audit-events?operation=projects.create", { key });
  const event = read.body.auditEvents.find((one: { requestId: string }) => one.requestId === requestId);
  expect(event.ip).toBe("203.0.113.9");
});

test("forbids sniffing with every answer", async () => {
  for (const path of ["/v1/nothing", "/sign-in", "/health"])
    expect((await fetch(api.origin + path)).headers.get("x-content-type-options")).toBe("nosniff");
});

// The differences that docs/architecture.md lists.
test("redirects a path with an empty segment, where the platform's own server answers 404", async () => {
  for (const path of ["/v1/projects/", "/v1//projects"]) {
    const answer = await fetch(api.origin + path, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/v1/projects"]);
    expect((await api.send("GET", path)).status).toBe(401);
  }
});

test("sends no response length, and compresses for clients that accept that", async () => {
  const compressed = await sendRaw(`${api.origin}/health/live`, {
    method: "HEAD",
    headers: [["accept-encoding", "gzip"]],
  });
  expect(compressed.headers.get("vary")).toContain("Accept-Encoding");
  expect(compressed.headers.get("content-length")).toBe(null);
  const { headers } = await fetch(`${api.origin}/openapi.json`);
  expect([headers.get("content-encoding"), headers.get("transfer-encoding")]).toEqual(["gzip", "chunked"]);
});

test("invites a body before it judges the request", async () => {
  const head =
    "POST /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
  const answer = await sendBytes(`${head}hi`);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 401"]);
});

test("answers malformed HTTP, and requests that Next.js can't route, without the envelope", async () => {
  const end = "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const answers = await Promise.all(
    [
      "NONSENSE\r\n\r\n",
      `PROPFIND /v1/projects ${end}`,
      `TRACE /v1/projects ${end}`,
      `GET /v1/projects/%zz ${end}`,
    ].map(sendBytes),
  );
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(["400", "400", "500", "500"]);
  for (const answer of answers) expect(answer).not.toContain('"ok"');
});

test("refuses requests from before the platform has started as retryable", async () => {
  const answer = await routeHandlers("/v1").GET(new Request("http://platform.test/v1/projects"));
  expect(answer.status).toBe(503);
  expect((await answer.json()).error).toMatchObject({
    code: "service_unavailable",
    retryable: true,
    operationState: "not_started",
  });
});

test("has a route file for every handler", () => {
  for (const path of Object.keys(routes)) {
    const file = fileURLToPath(new URL(`../../../app${path}/[[...path]]/route.ts`, import.meta.url));
    // Joined on one line, so that a long path matches too.
    const text = readFileSync(file, "utf8").replaceAll(/,?\s+/g, "");
    expect(text).toContain(`routeHandlers("${path}")`);
  }
});

test("streams a run through Next.js as it happens, whichever process changes it, until a key is revoked", async () => {
  const root = await createPayingKey(api, 100);
  const steps = [{ id: "pause", type: "wait", seconds: 3600 }];
  const input = { workflow: { name: "Test", steps } };
  const body = { serviceId: "managed-workflows", operationId: "execute", input };
  const follow = async (key: string) => {
    const { run } = (await api.send("POST", "/v1/runs", { key: root.key, body })).body;
    const stream = await openStream(`${api.origin}/v1/runs/${run.id}/events`, {
      key,
      headers: { "accept-encoding": "gzip" },
    });
    return { runId: run.id, stream, first: await stream.next() };
  };
  const { runId, stream, first } = await follow(root.key);
  expect(stream.headers.get("content-encoding")).toBeNull();
  expect(first).toMatchObject({ event: "timeline", id: "1", data: { data: { status: "queued" } } });
  await fetch(`${api.direct}/v1/runs/${runId}/cancel`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${root.key}`,
      "content-type": "application/json",
      "idempotency-key": unique("cancel"),
    },
    body: "{}",
  });
  const rest = await stream.take();
  // The number of entries depends on how far the stream had come.
  expect(rest.length).toBeGreaterThan(1);
  expect(rest.map(({ event, id }) => [event, id])).toEqual(
    rest.map((_, nth) => [nth === rest.length - 1 ? "run" : "timeline", String(nth + 2)]),
  );
  const child = await api.createChild(root.key);
  const open = await follow(child.key);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key: root.key });
  expect((await open.stream.take()).at(-1)).toMatchObject({
    event: "error",
    data: { error: { code: "api_key_revoked" } },
  });
});
