import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { approvedDeletion, decide } from "#server/testing/approvals.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createRun, endWait, runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

const put = (id: string, content: unknown, more: object = {}) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId: "put",
  input: { content },
  ...more,
});

test("runs every type of step, and returns the workflow's output", async () => {
  const { root, approver, start, connect, get } = await createStarter(api);
  const peer = await startPeer(({ path, body }) => ({ status: 201, body: { path, got: JSON.parse(body) } }));
  const workflow = {
    name: "Everything",
    steps: [
      put("keep", "Hello, {% input.name %}."),
      {
        id: "project",
        type: "operation",
        operation: "projects.create",
        body: { name: "{% input.name %}’s" },
      },
      {
        id: "read",
        type: "operation",
        operation: "projects.read",
        params: { projectId: "{% steps.project.project.id %}" },
      },
      {
        id: "send",
        type: "http",
        connectionId: "{% input.connectionId %}",
        method: "POST",
        url: `${peer.origin}/messages/{% input.name %}`,
        headers: { "x-source": "workflow" },
        body: { text: "{% steps.keep.memory.content %}", tags: "{% input.tags %}" },
      },
      { id: "pause", type: "wait", seconds: 0.05 },
      { id: "ask", type: "approval", summary: "Tell {% input.name %} {% steps.send.status %}?" },
      {
        id: "check",
        type: "branch",
        cases: [
          { when: "{% steps.send.status = 404 %}", steps: [put("missing", "Never")] },
          { when: "{% steps.send.status = 201 %}", steps: [put("found", "Sent")] },
        ],
        else: [put("otherwise", "Never")],
      },
      {
        id: "each",
        type: "map",
        items: "{% input.tags %}",
        concurrency: 2,
        steps: [put("part", "{% item %} {% index %}"), { ...artifact("file"), name: "{% item %}.txt" }],
      },
    ],
    output: {
      name: "{% steps.read.project.name %}",
      found: "{% steps.found.memory.content %}",
      check: "{% steps.check.memory.content %}",
      missing: "{% steps.missing %}",
      files: "{% steps.each.name %}",
      sent: "{% steps.send.body %}",
    },
  };
  const tags = ["a", "b", "c"];
  const id = await start(workflow, { name: "Ada", tags, connectionId: await connect(peer.host) });
  await runWith(api, root, id, "awaiting_approval");
  const [approval] = (await get("/v1/approvals?status=pending")).body.approvals;
  expect(approval).toMatchObject({ kind: "workflow_step", summary: "Tell Ada 201?" });
  expect((await decide(api, approver, approval)).status).toBe(200);
  const run = await runWith(api, root, id, "succeeded");
  expect(run.result).toEqual({
    output: {
      name: "Ada’s",
      found: "Sent",
      check: "Sent",
      files: ["a.txt", "b.txt", "c.txt"],
      sent: { path: "/messages/Ada", got: { text: "Hello, Ada.", tags } },
    },
  });
  // Two for the run itself, and one for each of five memories.
  expect(run.chargedCredits).toBe(7);
  expect(peer.received).toHaveLength(1);
  expect(peer.received[0]?.headers).toMatchObject({
    authorization: "Bearer the peer's",
    "content-type": "application/json",
    "idempotency-key": expect.stringMatching(/^[0-9a-f]{64}$/),
    "x-source": "workflow",
  });
  const done = finished(run);
  for (const step of [
    "keep",
    "project",
    "send",
    "pause",
    "ask",
    "check",
    "check.found",
    "each",
    "each[2].file",
  ])
    expect(done).toContain(`steps.${step}`);
  expect(done).not.toContain("steps.check.missing");
});

const artifact = (id: string) => ({ id, type: "artifact", mediaType: "text/plain", content: "{% item %}" });

interface Entry {
  type: string;
  step: string | null;
  data: { status?: string } | null;
}

/** Returns the finished steps of the timeline, in order. */
const finished = (run: { timeline: Entry[] }) =>
  run.timeline
    .filter(({ type, data }) => type === "step" && data?.status === "succeeded")
    .map(({ step }) => step);

test("invokes an operation that needs an approval with one", async () => {
  const { root, run } = await createStarter(api);
  const { id } = await approvedDeletion(api, root, "old");
  const ended = await run(
    [
      {
        id: "forget",
        type: "invoke",
        serviceId: "managed-memory",
        operationId: "delete",
        input: { name: "old" },
        approvalId: "{% input.approvalId %}",
      },
    ],
    { approvalId: id },
  );
  expect(ended.result.output).toMatchObject({ memory: { name: "old" } });
});

test("refuses an invalid workflow before any run exists", async () => {
  const { key, get } = await createStarter(api);
  const steps = [put("a", "{% steps.b.x %}"), { id: "b", type: "wait", seconds: -1 }];
  const body = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "x", steps } },
  };
  const first = await createRun(api, key, body);
  expect(first.body.error).toMatchObject({
    status: 400,
    issues: [{ path: "body.input.workflow.steps.1.seconds" }],
  });
  const second = await createRun(api, key, {
    ...body,
    input: { workflow: { name: "x", steps: steps.slice(0, 1) } },
  });
  expect(second.body.error).toMatchObject({
    status: 400,
    issues: [
      { path: "body.input.workflow.steps.0.input.content", message: 'No step "b" comes before this one.' },
    ],
  });
  expect((await get("/v1/runs")).body.runs).toEqual([]);
});

test("answers the last step's output where the workflow names none", async () => {
  const { run } = await createStarter(api);
  const ended = await run([
    { id: "list", type: "operation", operation: "projects.list", query: { limit: 5 } },
  ]);
  expect(ended.result).toEqual({ output: { projects: [], nextCursor: null } });
});

test("fails a step that the key may not execute with the refusal's code", async () => {
  const { root } = await createStarter(api);
  const narrow = await api.createChild(root, { scopes: ["runs:write", "runs:read"] });
  const workflow = { name: "Test", steps: [put("keep", "Hello")] };
  const body = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const created = await createRun(api, narrow.key, body);
  const run = await runWith(api, root, created.body.run.id, "failed");
  expect(run.error).toMatchObject({ code: "scope_missing", step: "steps.keep" });
});

test("stops a workflow whose key is revoked half-way", async () => {
  const { root, apiKey, start, get } = await createStarter(api);
  const steps = [put("before", "a"), { id: "pause", type: "wait", seconds: 3600 }, put("after", "b")];
  const id = await start({ name: "Test", steps });
  while (!finished((await get(`/v1/runs/${id}`)).body.run).includes("steps.before"))
    await new Promise((resolve) => setTimeout(resolve, 20));
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: root });
  await endWait(api, id, "steps.pause");
  const run = await runWith(api, root, id, "failed");
  expect(run.error).toMatchObject({ code: "api_key_revoked" });
  expect(finished(run)).not.toContain("steps.after");
});

test("lets no one approve a step of a run that they started, and ends it when another rejects", async () => {
  const { root, key, approver, start, get } = await createStarter(api);
  const id = await start({ name: "Test", steps: [{ id: "ask", type: "approval", summary: "Go on?" }] });
  await runWith(api, root, id, "awaiting_approval");
  const [approval] = (await get("/v1/approvals?status=pending")).body.approvals;
  const own = await decide(api, key, approval);
  expect([own.status, own.body.ok]).toEqual([403, false]);
  await decide(api, approver, approval, { decision: "reject", reason: "No." });
  const run = await runWith(api, root, id, "failed");
  expect(run.error).toMatchObject({ code: "approval_rejected", step: "steps.ask" });
});

test("makes characters visible by which an expression turns the direction of a text that people read", async () => {
  const { root, approver, start, get } = await createStarter(api);
  const steps = [
    { id: "ask", type: "approval", summary: "Pay {% input.name %}?" },
    { id: "file", type: "artifact", name: "{% input.name %}", mediaType: "text/plain", content: "a" },
  ];
  const workflow = { name: "Test", steps, output: "{% steps.file.name %}" };
  const id = await start(workflow, { name: "a\u202egnp.exe \u200d" });
  await runWith(api, root, id, "awaiting_approval");
  const [approval] = (await get("/v1/approvals?status=pending")).body.approvals;
  const summary = "Pay a\\u{202e}gnp.exe \u200d?";
  expect(approval).toMatchObject({ summary, payload: { summary } });
  expect((await decide(api, approver, approval)).status).toBe(200);
  const run = await runWith(api, root, id, "succeeded");
  expect(run.result).toEqual({ output: "a\\u{202e}gnp.exe \u200d" });
});

test("works on as many items of a map at a time as it says, and no more", async () => {
  const { run, connect } = await createStarter(api);
  const three = Promise.withResolvers<void>();
  let now = 0;
  let most = 0;
  const peer = await startPeer(async () => {
    now += 1;
    most = Math.max(most, now);
    if (now === 3) three.resolve();
    await three.promise;
    // Long enough for a fourth to arrive, if there were one.
    await new Promise((resolve) => setTimeout(resolve, 60));
    now -= 1;
    return { body: now };
  });
  const connectionId = await connect(peer.host);
  const step = { id: "call", type: "http", connectionId, method: "GET", url: peer.origin };
  const items = Array.from({ length: 12 }, (_, nth) => nth);
  const ended = await run(
    [{ id: "each", type: "map", items, concurrency: 3, steps: [step] }],
    null,
    "{% $count(steps.each) %}",
  );
  expect(ended.result.output).toBe(12);
  expect([most, peer.received.length]).toEqual([3, 12]);
});

test("runs branches and maps inside each other, each with its own steps", async () => {
  const { run } = await createStarter(api);
  const inner = {
    id: "inner",
    type: "map",
    items: "{% item.list %}",
    concurrency: 2,
    steps: [
      {
        id: "pick",
        type: "branch",
        cases: [
          { when: "{% item > 1 %}", steps: [put("large", "{% steps.name.memory.content %}{% item %}")] },
        ],
      },
    ],
  };
  const outer = [
    {
      id: "each",
      type: "map",
      items: "{% input %}",
      concurrency: 2,
      steps: [put("name", "{% item.name %}"), inner],
    },
  ];
  const input = [
    { name: "a", list: [1, 2] },
    { name: "b", list: [3] },
  ];
  const ended = await run(outer, input, "{% steps.each.memory.content %}");
  expect(ended.result.output).toEqual(["a2", "b3"]);
});
