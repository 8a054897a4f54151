import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/defined.ts";
import { startApi } from "../../testing/api.ts";
import { portOf } from "../processes.ts";
import { startTraces } from "./start-traces.ts";

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const api = await startApi();

/** Starts a receiver of OTLP over HTTP that records spans. */
async function startCollector() {
  const spans: SentSpan[] = [];
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer(async (message, answer) => {
    const body = await new Response(message as never).text();
    requests.push({ url: String(message.url), authorization: message.headers.authorization });
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    answer.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { spans, requests, endpoint: `http://127.0.0.1:${portOf(server)}` };
}

function trace(endpoint: string, ratio: number) {
  const settings = { endpoint, ratio, headers: { authorization: "Bearer collector" }, serviceName: "test" };
  return startTraces(settings, api.platform.settings.release);
}

const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  );

test("follows a call from the server through admission, handler and statements, from the caller's own trace on", async () => {
  const { spans, requests, endpoint } = await startCollector();
  const { key } = await api.createRootKey();
  const traces = trace(endpoint, 1);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const answer = await api.send("POST", "/v1/projects", {
    key,
    body: { name: "A name of a customer" },
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  await traces.stop();
  const mine = spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => defined(mine.find((span) => span.name === name));
  const [arrival, call, handle] = [named("POST"), named("projects.create"), named("handle")];
  expect(arrival.parentSpanId).toBe("b7ad6b7169203331");
  expect(call.parentSpanId).toBe(arrival.spanId);
  expect(attributesOf(call)).toEqual({
    "platform.request.id": answer.headers.get("x-request-id"),
    "platform.transport": "api",
    "http.response.status_code": 201,
  });
  expect(named("admit").parentSpanId).toBe(call.spanId);
  expect(named("record").parentSpanId).toBe(call.spanId);
  expect(handle.parentSpanId).toBe(call.spanId);
  const statements = mine.filter((span) => span.name === "query" && span.parentSpanId === handle.spanId);
  expect(statements.map((span) => attributesOf(span)["db.query.text"]).join()).toContain(
    'insert into "projects"',
  );
  expect(JSON.stringify(spans)).not.toMatch(/A name of a customer|svc_live_/);
  expect(requests[0]).toEqual({ url: "/v1/traces", authorization: "Bearer collector" });
});

test("records only the configured fraction of traces, whatever the caller requests", async () => {
  const { spans, endpoint } = await startCollector();
  const { key } = await api.createRootKey();
  const traces = trace(endpoint, 0);
  const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  expect((await api.send("GET", "/v1/projects", { key, headers })).status).toBe(200);
  await traces.stop();
  expect(spans).toEqual([]);
});

test("begins a trace of its own where the caller's is malformed", async () => {
  const { spans, endpoint } = await startCollector();
  const { key } = await api.createRootKey();
  const traces = trace(endpoint, 1);
  const zeros = `00-${"0".repeat(32)}-b7ad6b7169203331-01`;
  for (const traceparent of ["nonsense", zeros, "00-zz-b7-01"])
    expect((await api.send("GET", "/v1/projects", { key, headers: { traceparent } })).status).toBe(200);
  await traces.stop();
  const calls = spans.filter(({ name }) => name === "GET");
  expect(calls.map(({ parentSpanId }) => parentSpanId ?? "")).toEqual(["", "", ""]);
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(3);
});

test("answers as ever while the collector is away", async () => {
  const { key } = await api.createRootKey();
  const traces = trace("http://127.0.0.1:9", 1);
  expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
  await traces.stop();
  expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
});
