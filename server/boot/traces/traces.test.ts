import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openSmtp } from "../../providers/mail/smtp.ts";
import { startApi } from "../../testing/api.ts";
import { startTestChain } from "../../testing/chain.ts";
import { onCleanup } from "../../testing/cleanup.ts";
import { createPayingKey } from "../../testing/credits.ts";
import { startJobs } from "../../testing/jobs.ts";
import { startKms } from "../../testing/kms.ts";
import { startMailServer } from "../../testing/mail-server.ts";
import { createRun, startRuns } from "../../testing/runs.ts";
import { startS3 } from "../../testing/s3.ts";
import { startTenantCluster } from "../../testing/tenants.ts";
import { createWallet, PLAIN, send, startSending, transactionWith } from "../../testing/transactions.ts";
import { endOfTransfer, queryRows, startTransfer } from "../../testing/transfers.ts";
import { createWebhook, startDelivering, startEndpoint } from "../../testing/webhooks.ts";
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

const [kms, s3, tenants, chain] = await Promise.all([
  startKms(),
  startS3(),
  startTenantCluster(),
  startTestChain(),
]);
onCleanup(tenants.drop);
const api = await startApi({
  settings: {
    blobs: s3.settings,
    vault: { keys: () => [], kms: kms.settings },
    tenantClusters: [tenants.cluster],
    chains: [chain.settings],
  },
});

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

test("follows a run, its event and the delivery by their ids, and hands the trace on to the endpoint", async () => {
  const { spans, endpoint } = await startCollector();
  const { key } = await createPayingKey(api, 100);
  const receiver = await startEndpoint();
  await createWebhook(api, key, receiver.url, ["run.succeeded"]);
  const traces = trace(endpoint, 1);
  const workers = [await startRuns(api), await startDelivering(api)];
  const input = { content: "Content of a customer" };
  const created = await createRun(api, key, { serviceId: "managed-memory", operationId: "put", input });
  const named = (name: string) => spans.find((span) => span.name === name);
  await expect.poll(() => named("run managed-memory.put") && named("deliver")).toBeDefined();
  for (const worker of workers) await worker.stop();
  await traces.stop();

  expect(attributesOf(defined(named("run managed-memory.put")))).toEqual({
    "platform.run.id": created.body.run.id,
    "platform.request.id": created.headers.get("x-request-id"),
  });
  const [{ id: deliveryId }] = (await api.mustSend(200, "GET", "/v1/webhook-deliveries", { key })).deliveries;
  const [received] = receiver.received;
  const delivery = defined(named("deliver"));
  expect(attributesOf(delivery)).toEqual({
    "platform.event.id": received?.body.id,
    "platform.event.type": "run.succeeded",
    "platform.delivery.id": deliveryId,
  });
  const post = defined(spans.find(({ parentSpanId }) => parentSpanId === delivery.spanId));
  expect(post.name).toBe("HTTP POST");
  expect(received?.headers.traceparent).toBe(`00-${delivery.traceId}-${post.spanId}-01`);
  expect(JSON.stringify(spans)).not.toMatch(/Content of a customer|svc_live_/);
});

test("has a span for each call to an outside system within its job or call, without the call's contents", async () => {
  const { spans, endpoint } = await startCollector();
  const { key } = await api.createRootKey();
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
  const traces = trace(endpoint, 1);
  const jobs = await startJobs(api);
  await queryRows(api, key, "select 'Text of a customer'");
  await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Traced" } });
  await endOfTransfer(api, key, await startTransfer(api, key, { direction: "export" }));
  await jobs.stop();
  const { url } = await startMailServer();
  const mail = {
    to: "ada@example.test",
    subject: "Mail of a customer",
    text: "Hello",
    id: "<1@example.test>",
  };
  await openSmtp({ url, from: "platform@example.test" }).send(mail);
  await traces.stop();

  const named = (name: string) => spans.filter((span) => span.name === name);
  const [job] = named("job carryTransfer");
  expect(attributesOf(defined(job))).toEqual({
    "platform.job.id": expect.stringMatching(/^\d+$/),
    "platform.job.attempt": 1,
  });
  const traceOf = (name: string) => defined(named(name)[0]).traceId;
  const [query, wallet] = ["databases.query", "wallets.create"].map(traceOf);
  const callsOf = (name: string) => new Set(named(name).map(({ traceId }) => traceId));
  expect(callsOf("managed database")).toEqual(new Set([query, job?.traceId]));
  expect(callsOf("S3 PUT")).toEqual(new Set([job?.traceId]));
  expect(callsOf("KMS Encrypt")).toEqual(new Set([wallet]));
  const local = { "server.address": "127.0.0.1" };
  for (const name of ["S3 PUT", "KMS Encrypt"])
    expect(attributesOf(defined(named(name)[0]))).toEqual({ ...local, "http.response.status_code": 200 });
  expect(named("SMTP").map(attributesOf)).toEqual([local]);
  expect(JSON.stringify(spans)).not.toMatch(/of a customer|ada@example|svc_live_/);
});

test("has a span for each broadcast of a transaction, with its id", async () => {
  const { spans, endpoint } = await startCollector();
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key);
  const traces = trace(endpoint, 1);
  const engine = await startSending(api);
  const sent = await send(api, key, wallet.id);
  await transactionWith(api, key, sent, "confirmed");
  await engine.stop();
  await traces.stop();

  const broadcasts = spans.filter(({ name }) => name === "broadcast");
  expect(new Set(broadcasts.map(attributesOf))).toEqual(
    new Set([{ "platform.transaction.id": sent.id, "platform.network": PLAIN.network }]),
  );
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
