import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { keysOf } from "#server/base/keys-of.ts";
import { startApi } from "#server/testing/api.ts";
import { startHostile, writeForEver } from "#server/testing/hostile-peer.ts";
import { createRun, startRuns } from "#server/testing/runs.ts";
import { createWebhook, makeEvent, startDelivering } from "#server/testing/webhooks.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi({ settings: { modelTimeoutSeconds: 2 } });
const worker = await startRuns(api, { slots: 20, perAccount: 20 });
await startDelivering(api);
afterAll(() => worker.stop());
const starter = await createStarter(api, 100_000);

const OK = "HTTP/1.1 200 OK\r\n";
const JSON_TYPE = "content-type: application/json\r\n";
const DEEP = "[".repeat(300_000) + "]".repeat(300_000);

const HOSTILE = {
  "never ends its answer": (socket: Socket) => {
    socket.write(`${OK}${JSON_TYPE}\r\n`);
    writeForEver(socket, Buffer.alloc(64 * 1024, "x"));
  },
  "sends its answer byte by byte": (socket: Socket) => {
    socket.write(`${OK}${JSON_TYPE}content-length: 1000000\r\n\r\n`);
    writeForEver(socket, "x", 20);
  },
  "leads to an address within": (socket: Socket) =>
    socket.end("HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n"),
  "answers JSON without end": (socket: Socket) =>
    socket.end(`${OK}${JSON_TYPE}content-length: ${DEEP.length}\r\n\r\n${DEEP}`),
  "breaks off": (socket: Socket) => socket.end(`${OK}${JSON_TYPE}content-length: 1000\r\n\r\n{"a":`),
  "sends 103 for ever": (socket: Socket) =>
    writeForEver(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
  "answers no UTF-8": (socket: Socket) =>
    socket.end(Buffer.from(`${OK}${JSON_TYPE}content-length: 4\r\n\r\n"\xff\xfe"`, "latin1")),
};
type Kind = keyof typeof HOSTILE;

const peerThat = (kind: Kind) => startHostile((socket) => HOSTILE[kind](socket));

async function connect(host: string, settings: object): Promise<string> {
  const body = {
    label: "Peer",
    provider: "peer",
    authType: "bearer",
    secret: "x",
    allowedHosts: [host],
    ...settings,
  };
  return (await api.send("POST", "/v1/connections", { key: starter.root, body })).body.connection.id;
}

/** Waits until the run has ended, and returns it. */
async function endOf(runId: string) {
  for (;;) {
    const { run } = (await starter.get(`/v1/runs/${runId}`)).body;
    if (/failed|succeeded/.test(run.status)) return run;
    await sleep(50);
  }
}

/** Executes a workflow's request by this connection; returns the ended run. */
async function requestBy(connectionId: string, url: string, timeoutSeconds: number) {
  const step = { id: "send", type: "http", connectionId, method: "POST", url, timeoutSeconds };
  return endOf(await starter.start({ name: "Hostile", steps: [step] }));
}

const failed = (code: string, message: RegExp) => ({
  status: "failed",
  error: { code, message: expect.stringMatching(message) },
});
const answered = (status: number, body: unknown) => ({
  status: "succeeded",
  result: { output: { status, body } },
});

test.each<[Kind, object]>([
  ["never ends its answer", failed("query_limit_exceeded", /more than 1048576 bytes/)],
  ["sends its answer byte by byte", failed("service_timeout", /within 3 seconds/)],
  ["leads to an address within", answered(302, null)],
  ["answers JSON without end", answered(200, DEEP)],
  ["breaks off", failed("service_timeout", /was lost/)],
  ["sends 103 for ever", failed("service_timeout", /no end of 1xx/)],
  ["answers no UTF-8", answered(200, '"\u{FFFD}\u{FFFD}"'.slice(1, -1))],
])("ends a workflow's request to a peer that %s", async (kind, expected) => {
  const { url, host } = await peerThat(kind);
  expect(await requestBy(await connect(host, {}), url, 3)).toMatchObject(expected);
});

test.each<[Kind, object]>([
  ["never ends its answer", failed("service_failed", /more than 4194304 bytes/)],
  ["sends its answer byte by byte", failed("service_timeout", /within 2000 ms/)],
  ["leads to an address within", failed("service_failed", /answered 302/)],
  ["answers JSON without end", failed("service_failed", /without a finish reason/)],
  ["breaks off", failed("service_timeout", /was lost/)],
  ["sends 103 for ever", failed("service_timeout", /no end of 1xx/)],
  ["answers no UTF-8", failed("service_failed", /without a finish reason/)],
])("ends an agent's question to a model that %s", async (kind, expected) => {
  const { url, host } = await peerThat(kind);
  const connectionId = await connect(host, { metadata: { baseUrl: url, model: "m" } });
  const { body } = await createRun(api, starter.key, {
    serviceId: "managed-agents",
    operationId: "respond",
    connectionId,
    input: { input: "Hello." },
  });
  expect(await endOf(body.run.id)).toMatchObject(expected);
});

test.each<[Kind, object]>([
  ["never ends its answer", failed("service_unavailable", /more than 65536 bytes/)],
  ["sends its answer byte by byte", failed("service_unavailable", /within 10000 ms/)],
  ["leads to an address within", failed("service_unavailable", /answered 302/)],
  ["answers JSON without end", failed("service_unavailable", /more than 65536 bytes/)],
  ["breaks off", failed("service_unavailable", /was lost/)],
  ["sends 103 for ever", failed("service_unavailable", /no end of 1xx/)],
  ["answers no UTF-8", failed("service_failed", /answered no bearer token/)],
])("takes no access token of a server that %s", async (kind, expected) => {
  const { url, host } = await peerThat(kind);
  const client = { authType: "oauth2_client", clientId: "client", tokenUrl: url };
  expect(await requestBy(await connect(host, client), url, 30)).toMatchObject(expected);
});

test("ends each attempt at a hostile endpoint, and counts a 2xx as received", async () => {
  const expected: Record<Kind, object> = {
    "never ends its answer": { status: 200, error: null, responseSnippet: "x".repeat(500) },
    "sends its answer byte by byte": { status: 200, error: null },
    "leads to an address within": {
      status: 302,
      error: expect.stringContaining("redirects are not followed"),
    },
    "answers JSON without end": { status: 200, error: null, responseSnippet: "[".repeat(500) },
    "breaks off": { status: 200, error: null },
    "sends 103 for ever": { status: null, error: expect.stringContaining("no end of 1xx") },
    "answers no UTF-8": { status: 200, error: null, responseSnippet: '"\u{FFFD}\u{FFFD}"' },
  };
  const { key } = await api.createRootKey();
  const hooks = new Map<string, Kind>();
  for (const kind of keysOf(expected)) {
    const { webhook } = await createWebhook(api, key, (await peerThat(kind)).url);
    hooks.set(webhook.id, kind);
  }
  await makeEvent(api, key);
  for (const [webhookId, kind] of hooks) {
    const attempts = async () =>
      (await api.send("GET", `/v1/webhook-deliveries?webhookId=${webhookId}`, { key })).body.deliveries[0]
        .attempts;
    await expect.poll(async () => (await attempts())[0]).toMatchObject(expected[kind]);
  }
});
