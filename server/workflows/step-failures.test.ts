import { afterAll, expect, test } from "vitest";
import { expireApprovals } from "#server/approvals/expire-approvals.ts";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { eventually } from "#server/testing/eventually.ts";
import { type PeerAnswer, startPeer } from "#server/testing/peer.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());
const starter = await createStarter(api);
const { root, run, fail, connect } = starter;

/** Starts a peer that returns these responses in turn and repeats the last one; and a step that calls it. */
async function startScripted(answers: (PeerAnswer | "hang" | "reset")[], step: object) {
  let nth = 0;
  const peer = await startPeer(() => defined(answers[Math.min(nth++, answers.length - 1)]));
  const connectionId = await connect(peer.host);
  const keys = () => new Set(peer.received.map(({ headers }) => headers["idempotency-key"]));
  return { ...peer, keys, step: { id: "call", type: "http", connectionId, url: `${peer.origin}/`, ...step } };
}

const retry = { maxAttempts: 3, backoffSeconds: 0.05, factor: 2 };
const unavailable = { status: 503 };

test("attempts a failed step again, with the same idempotency key", async () => {
  const peer = await startScripted([unavailable, { status: 500 }, { body: { n: 3 } }], {
    method: "POST",
    retry,
  });
  const ended = await run([peer.step], null, "{% steps.call.body.n %}");
  expect(ended.result.output).toBe(3);
  expect([peer.received.length, peer.keys().size]).toEqual([3, 1]);
  const reported = ended.timeline.filter(({ step }: { step: string }) => step === "steps.call");
  expect(
    reported.map(({ type, data }: Reported) => [type, data.status ?? data.code, data.attempt, data.delayMs]),
  ).toEqual([
    ["step", "sent", undefined, undefined],
    ["retry", "service_unavailable", 1, 50],
    ["step", "sent", undefined, undefined],
    ["retry", "service_failed", 2, 100],
    ["step", "sent", undefined, undefined],
    ["step", "succeeded", undefined, undefined],
  ]);
  const named = ended.timeline.flatMap(({ step }: { step: string | null }) => step ?? []);
  expect(new Set(named)).toEqual(new Set(["steps.call"]));
});

test("takes a response with excessive nesting as text", async () => {
  const deep = "[".repeat(300_000) + "]".repeat(300_000);
  const answer = { headers: { "content-type": "application/json" }, body: deep };
  const { step } = await startScripted([answer], { method: "GET" });
  const ended = await run([step], null, "{% $length(steps.call.body) %}");
  expect(ended.result.output).toBe(deep.length);
});

interface Reported {
  type: string;
  data: { status?: string; code?: string; attempt?: number; delayMs?: number };
}

test("reports by its path a step that is attempted again as a whole, and lists its finished steps once", async () => {
  const peer = await startScripted([unavailable], { method: "POST" });
  const inner = [wait("pause", 0), peer.step];
  const ended = await fail([
    {
      id: "each",
      type: "map",
      items: [1],
      concurrency: 1,
      steps: inner,
      retry: { ...retry, maxAttempts: 2 },
    },
  ]);
  expect(ended.error.step).toBe("steps.each[0].call");
  const retries = ended.timeline.filter(({ type }: Reported) => type === "retry");
  expect(retries).toMatchObject([{ step: "steps.each", data: { code: "service_unavailable", attempt: 1 } }]);
  const failed = ended.timeline.filter(({ data }: Reported) => data.status === "failed" && data.code);
  expect(failed.map(({ step }: { step: string }) => step)).toEqual([
    "steps.each[0].call",
    "steps.each[0].call",
  ]);
  expect(ended.timeline.at(-1).data.finishedSteps).toEqual(["steps.each", "steps.each[0].pause"]);
});

test("distinguishes a response that is too large from a missing one, and sends the request once", async () => {
  const peer = await startScripted([{ body: "x".repeat(1_100_000) }], { method: "POST", retry });
  const ended = await fail([peer.step]);
  expect(ended.error).toMatchObject({ code: "query_limit_exceeded", step: "steps.call" });
  expect(ended.error.message).toContain("1048576 bytes");
  expect(peer.received).toHaveLength(1);
});

test("shows a call as sent before it is answered", async () => {
  const peer = await startScripted(["hang"], { method: "POST", timeoutSeconds: 60 });
  const operation = { id: "list", type: "operation", operation: "projects.list" };
  const id = await starter.start({ name: "Test", steps: [operation, peer.step] });
  await expect.poll(() => peer.received.length).toBe(1);
  const { timeline } = (await starter.get(`/v1/runs/${id}`)).body.run;
  const reported = timeline.filter(({ type }: Reported) => type === "step");
  expect(reported.map(({ step, data }: { step: string } & Reported) => [step, data.status])).toEqual([
    ["steps.list", "sent"],
    ["steps.list", "succeeded"],
    ["steps.call", "sent"],
  ]);
  await api.send("POST", `/v1/runs/${id}/cancel`, { key: root, body: {} });
});

test.each([
  ["after as many attempts as it has", { retry }, 503, 3, "service_unavailable"],
  ["at once without retries", {}, 503, 1, "service_unavailable"],
  [
    "at once after an error that it does not list",
    { retry: { ...retry, on: ["service_failed"] } },
    429,
    1,
    "service_rate_limited",
  ],
])("fails a step %s", async (_, more, status, calls, code) => {
  const peer = await startScripted([{ status }], { method: "POST", ...more });
  const ended = await fail([peer.step]);
  expect(ended.error).toMatchObject({ code, step: "steps.call" });
  expect(peer.received).toHaveLength(calls);
});

test.each([
  ["a port that refuses", "127.0.0.1:1", "http://127.0.0.1:1/"],
  ["a host that nobody knows", "nobody.invalid", "https://nobody.invalid/"],
])("fails a request to %s after as many attempts as it has, since nothing was sent", async (_, host, url) => {
  const call = { id: "call", type: "http", connectionId: await connect(host), method: "POST", url };
  const ended = await fail([{ ...call, retry: { ...retry, maxAttempts: 2 } }]);
  expect(ended.error).toMatchObject({ code: "service_unavailable", step: "steps.call" });
  expect(ended.error.message).toContain(host);
  const sent = ended.timeline.filter(({ data }: { data: { status: string } }) => data.status === "sent");
  expect(sent).toHaveLength(2);
});

test("accepts any other response as the output", async () => {
  const peer = await startScripted([{ status: 404, headers: { "x-why": "gone" }, body: "no" }], {
    method: "GET",
  });
  const ended = await run([{ ...peer.step, retry }]);
  expect(ended.result.output).toMatchObject({ status: 404, headers: { "x-why": "gone" }, body: "no" });
  expect(peer.received).toHaveLength(1);
});

// Steps that hang are awaited together.
test.concurrent.each([
  ["POST", "hang", [], 1],
  ["POST", "reset", [], 1],
  ["PATCH", "reset", [], 1],
  ["POST", "hang", ["service_timeout"], 3],
  ["GET", "hang", undefined, 3],
  ["PUT", "reset", undefined, 3],
  ["DELETE", "reset", undefined, 3],
] as const)("sends an unanswered %s (%s, retry.on %j) %i times", async (method, behaviour, on, calls) => {
  const peer = await startScripted([behaviour], {
    method,
    timeoutSeconds: 2,
    retry: { ...retry, ...(on && { on: on.length > 0 ? on : undefined }) },
  });
  const ended = await fail([peer.step]);
  expect(ended.error).toMatchObject({ code: "service_timeout", step: "steps.call" });
  expect([peer.received.length, peer.keys().size]).toEqual([calls, 1]);
});

test("refuses hosts that the connection does not name, and connections of another account", async () => {
  const peer = await startScripted([{}], { method: "GET", url: "https://example.com/" });
  expect((await fail([peer.step])).error).toMatchObject({ code: "policy_denied", step: "steps.call" });
  const other = await createStarter(api);
  const foreign = { ...peer.step, connectionId: await other.connect(peer.host) };
  expect((await fail([foreign])).error).toMatchObject({ code: "not_found", step: "steps.call" });
  expect(peer.received).toEqual([]);
});

const wait = (id: string, seconds: unknown, more: object = {}) => ({ id, type: "wait", seconds, ...more });

test.each([
  ["a wait", wait("a", 60, { timeoutSeconds: 0.1 }), "steps.a"],
  [
    "an attempt at a wait",
    wait("a", 60, { timeoutSeconds: 0.1, retry: { ...retry, on: ["service_timeout"] } }),
    "steps.a",
  ],
  [
    "a map",
    { id: "a", type: "map", items: [1], concurrency: 2, steps: [wait("b", 60)], timeoutSeconds: 0.1 },
    "steps.a[0].b",
  ],
  [
    "a branch",
    {
      id: "a",
      type: "branch",
      cases: [{ when: true, steps: [wait("b", 0.1), wait("c", 60)] }],
      timeoutSeconds: 10,
    },
    "steps.a.c",
  ],
])("ends %s that takes longer than it may", async (_, step, path) => {
  expect((await fail([step])).error).toMatchObject({ code: "service_timeout", step: path });
});

test("ends an approval that nobody decides in time", async () => {
  const ask = { id: "a", type: "approval", summary: "Now?", timeoutSeconds: 1 };
  const id = await starter.start({ name: "Test", steps: [ask] });
  await runWith(api, root, id, "awaiting_approval");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await expireApprovals(api.platform.database.db);
  const ended = await runWith(api, root, id, "failed");
  expect(ended.error).toMatchObject({ code: "service_timeout", step: "steps.a" });
});

test("ends the run when one item of a map fails while another waits", async () => {
  const items = [{ seconds: 3600 }, { seconds: "soon" }];
  const map = { id: "each", type: "map", items, concurrency: 2, steps: [wait("b", "{% item.seconds %}")] };
  expect((await fail([map])).error).toMatchObject({ code: "invalid_request", step: "steps.each[1].b" });
});

test.each([
  ["fails", "{% input.name + 1 %}", "invalid_request", "steps.a.seconds: The left side of the"],
  [
    "never ends",
    "{% ($f := function(){$f()}; $f()) %}",
    "query_limit_exceeded",
    "steps.a: Not done within 2 s.",
  ],
])("names the step whose expression %s", async (_, seconds, code, message) => {
  expect((await fail([wait("a", seconds)], { name: "Ada" })).error).toMatchObject({
    code,
    step: "steps.a",
    message: expect.stringContaining(message),
  });
});

test.each([
  ["summary", { type: "approval", summary: "{% 'a\\u0000' %}" }],
  ["url", { type: "http", connectionId: "{% 'conn_1' %}", method: "GET", url: "{% input.none %}" }],
  ["connectionId", { type: "http", connectionId: "{% 5 %}", method: "GET", url: "https://example.com" }],
  ["name", { type: "artifact", name: "{% '' %}", mediaType: "text/plain", content: 1 }],
])("refuses a %s that is no text", async (field, step) => {
  expect((await fail([{ id: "a", ...step }])).error).toEqual({
    code: "invalid_request",
    step: "steps.a",
    message: `steps.a.${field}: Is no text that can be used: 1 to 20000 characters.`,
  });
});

test("gives all attempts at a step the same time, however fast they follow each other", async () => {
  const peer = await startScripted([unavailable, { body: "ok" }], { method: "POST" });
  const soon = { maxAttempts: 2, backoffSeconds: 0, factor: 1 };
  await run([{ ...peer.step, body: "{% $now() %}", retry: soon }]);
  expect(new Set(peer.received.map(({ body }) => body)).size).toBe(1);
});

test("refuses more items, and more output, than a run may have", async () => {
  const map = { id: "a", type: "map", items: "{% [1..1001] %}", concurrency: 5, steps: [wait("b", 0)] };
  expect((await fail([map])).error).toMatchObject({
    code: "query_limit_exceeded",
    step: "steps.a",
    message: "steps.a.items: 1001 items; at most 1000.",
  });
  const peer = await startScripted([{ body: "x".repeat(1_000_000) }], { method: "GET" });
  const each = { id: "each", type: "map", items: [1, 2, 3, 4, 5], concurrency: 1, steps: [peer.step] };
  expect((await fail([each])).error).toMatchObject({ code: "query_limit_exceeded" });
});

test("waits while a limit of calls a minute is exhausted", async () => {
  const limited = await api.createChild(root, { limits: { "projects.list": { requestsPerMinute: 1 } } });
  const list = (id: string) => ({ id, type: "operation", operation: "projects.list" });
  const workflow = { name: "Test", steps: [list("first"), list("second")] };
  const body = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const { id } = (await createRun(api, limited.key, body)).body.run;
  const waiting = await untilWaiting(id);
  expect(waiting).toMatchObject({ step: "steps.second", data: { retryAfterSeconds: expect.any(Number) } });
  await api.send("POST", `/v1/runs/${id}/cancel`, { key: root, body: {} });
  expect((await runWith(api, root, id, "cancelled")).error).toMatchObject({ code: "cancelled" });
});

/** Returns the timeline's entry that says that a step waits, once there is one. */
const untilWaiting = (id: string): Promise<unknown> =>
  eventually(async () => {
    const { timeline } = (await starter.get(`/v1/runs/${id}`)).body.run;
    return timeline.find(({ data }: { data: { status?: string } }) => data.status === "waiting");
  });
