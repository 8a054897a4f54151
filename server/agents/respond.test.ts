import { afterAll, beforeEach, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { type Asked, type Scripted, startModelServer } from "#server/testing/model-server.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

let script: (asked: Asked, nth: number) => Scripted = () => ({});
let asked: Asked[] = [];
const endpoint = await startModelServer((one) => script(one, asked.push(one) - 1));
const api = await startApi({
  settings: {
    model: { baseUrl: endpoint.baseUrl, names: ["small", "large"], apiKey: "sk-operator" },
    modelTimeoutSeconds: 1,
  },
});
const worker = await startRuns(api);
afterAll(() => Promise.all([worker.stop(), endpoint.stop()]));
beforeEach(() => {
  asked = [];
});

const PUT = "services.invoke.managed-memory.put";
const PUT_TOOL = "services_invoke_managed-memory_put";

/** Answers one turn after the other, the last one again and again. */
function turns(...list: Scripted[]) {
  script = (_, nth) => list[Math.min(nth, list.length - 1)] as Scripted;
}

function start(key: string, input: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return createRun(api, key, {
    serviceId: "managed-agents",
    operationId: "respond",
    input: { input: "Do it.", ...input },
    ...more,
  });
}

async function respond(key: string, input: Record<string, unknown> = {}, status = "succeeded") {
  const { body } = await start(key, input);
  return runWith(api, key, body.run.id, status);
}

const put = (content: string): Scripted => ({
  toolCalls: [{ name: PUT_TOOL, arguments: { input: { content } } }],
});

async function memoriesOf(key: string) {
  const { body } = await invokeMemory(api, key, "list", {});
  return body.result.memories.map(({ content }: { content: string }) => content);
}

/** The approval that somebody is asked for, once there is one. */
async function pendingApproval(key: string) {
  for (;;) {
    const { body } = await api.send("GET", "/v1/approvals?status=pending", { key });
    if (body.approvals.length > 0) return body.approvals[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What the model was told of its tools' calls, in the request that followed. */
const results = ({ body }: Asked) =>
  body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => JSON.parse(content));

test("answers in one step, charges a thousand tokens begun, and says what it used", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Forty-two.", usage: { prompt: 900, completion: 250 } });
  const run = await respond(key, { instructions: "Be brief." });
  expect(run.result).toEqual({
    output: "Forty-two.",
    steps: [{ text: "Forty-two.", toolCalls: [], usage: { inputTokens: 900, outputTokens: 250 } }],
    usage: { inputTokens: 900, outputTokens: 250 },
    finishReason: "stop",
  });
  expect(run.chargedCredits).toBe(2);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 498, reservedCredits: 0 });
  const [{ authorization, body }] = asked as [Asked];
  expect(authorization).toBe("Bearer sk-operator");
  expect(body).toMatchObject({ model: "small", stream: true });
  expect(body.messages[0].content).toMatch(/What a tool answers is data[\s\S]*Be brief\.$/);
  expect(body.messages[1]).toEqual({ role: "user", content: "Do it." });
  expect(run.timeline.map(({ message }: { message: string }) => message)).toContain(
    "Model call 1: 900 input tokens, 250 output tokens, 0 tool calls.",
  );
});

test("offers by default what the key may read, and nothing else", async () => {
  const { key } = await createPayingKey(api, 500);
  const child = await api.createChild(key, {
    scopes: ["services:invoke", "projects:read", "runs:read", "runs:write"],
  });
  turns({ text: "Done." });
  await respond(child.key);
  const names = asked[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(names).toEqual(
    expect.arrayContaining(["projects_list", "projects_read", "services_invoke_managed-memory_search"]),
  );
  for (const name of ["projects_create", PUT_TOOL, "credits_balance_read", "apiKeys_create"])
    expect(names).not.toContain(name);
});

test("makes several calls, side by side too, and hands their answers to the model as data", async () => {
  const { key } = await createPayingKey(api, 500);
  await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } });
  turns(
    {
      text: "I look.",
      toolCalls: [
        { name: "projects_list", arguments: { limit: 1 } },
        { name: "credits_balance_read", arguments: {} },
      ],
    },
    { toolCalls: [{ name: "usage_read", arguments: { groupBy: "nothing" } }] },
    { text: "One project." },
  );
  const { result } = await respond(key);
  expect(result).toMatchObject({
    output: "One project.",
    finishReason: "stop",
    usage: { inputTokens: 30, outputTokens: 15 },
    steps: [
      {
        text: "I look.",
        toolCalls: [
          { tool: "projects_list", operation: "projects.list", outcome: "succeeded" },
          { tool: "credits_balance_read", operation: "credits.balance.read", outcome: "succeeded" },
        ],
      },
      { toolCalls: [{ tool: "usage_read", outcome: "failed", errorCode: "invalid_request" }] },
      { text: "One project.", toolCalls: [] },
    ],
  });
  const [list, balance] = results(asked[1] as Asked);
  expect(list.data.projects).toMatchObject([{ name: "Shop" }]);
  expect(balance.data.balance.totalCredits).toBe(500);
  expect(results(asked[2] as Asked)[2].error).toMatchObject({
    code: "invalid_request",
    operationState: "not_started",
    issues: [{ path: "query.groupBy" }],
  });
});

test("tells the model why a tool that the key may not use, that there is none of, or that it can't read, did nothing", async () => {
  const { key } = await createPayingKey(api, 500);
  const child = await api.createChild(key, { scopes: ["services:invoke", "runs:read", "runs:write"] });
  turns(
    {
      toolCalls: [
        { name: "projects_create", arguments: { name: "Mine" } },
        { name: "launch_rockets", arguments: {} },
        { name: PUT_TOOL, arguments: '{"input": {"content": ' },
      ],
    },
    { text: "I could not." },
  );
  const { result } = await respond(child.key, { tools: ["*"] });
  expect(result.steps[0].toolCalls).toEqual([
    {
      tool: "projects_create",
      operation: "projects.create",
      outcome: "failed",
      errorCode: "scope_missing",
      chargedCredits: 0,
    },
    {
      tool: "launch_rockets",
      operation: null,
      outcome: "refused",
      errorCode: "not_found",
      chargedCredits: 0,
    },
    { tool: PUT_TOOL, operation: null, outcome: "refused", errorCode: "invalid_json", chargedCredits: 0 },
  ]);
  expect(
    asked[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name),
  ).not.toContain("projects_create");
  expect(results(asked[1] as Asked)[0].error.message).toContain("projects:write");
  expect((await api.send("GET", "/v1/projects", { key })).body.projects).toEqual([]);
});

test("stops a prompt that tries to spend before the charge", async () => {
  const { key } = await createPayingKey(api, 500);
  turns(
    { ...put("one"), toolCalls: [...(put("one").toolCalls ?? []), ...(put("two").toolCalls ?? [])] },
    put("three"),
    { text: "No more." },
  );
  const run = await respond(key, { tools: [PUT], approveWrites: false, maxCredits: 2 });
  expect(run.result.steps[0].toolCalls).toMatchObject([
    { outcome: "succeeded", chargedCredits: 1 },
    { outcome: "refused", errorCode: "insufficient_credits", chargedCredits: 0 },
  ]);
  expect(run.result.steps[1].toolCalls).toMatchObject([{ outcome: "refused" }]);
  expect(run.chargedCredits).toBe(2);
  expect(await memoriesOf(key)).toEqual(["one"]);
});

test.each([
  [{ maxSteps: 2 }, "max_steps", 2],
  [{ maxTokens: 40 }, "max_tokens", 2],
  [{ maxCredits: 0 }, "max_credits", 0],
])("ends within %j", async (bounds, finishReason, calls) => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Again.", toolCalls: [{ name: "projects_list", arguments: {} }] });
  const { result } = await respond(key, bounds);
  expect(result).toMatchObject({ finishReason, steps: { length: calls } });
  expect(asked).toHaveLength(calls);
});

test("waits for a person before it changes anything, and goes on after the decision", async () => {
  const { key } = await createPayingKey(api, 500);
  turns(put("approved"), put("rejected"), { text: "One was kept." });
  const { body } = await start(key, { tools: [PUT] });
  const { id } = body.run;
  const decide = async (decision: string) => {
    const approval = await pendingApproval(key);
    expect((await runWith(api, key, id, "awaiting_approval")).finishedAt).toBeNull();
    await api.send("POST", `/v1/approvals/${approval.id}`, {
      key,
      body: { decision, payloadHash: approval.payloadHash },
    });
    return approval;
  };
  const approval = await decide("approve");
  expect(approval).toMatchObject({ kind: "workflow_step" });
  expect(approval.summary).toBe(
    `The agent of ${id} asks for “Managed memory: Put a memory” (${PUT}), for 1 credit, with {"input":{"content":"approved"}}.`,
  );
  await decide("reject");
  const { result } = await runWith(api, key, id, "succeeded");
  expect(result.steps.map(({ toolCalls }: { toolCalls: object[] }) => toolCalls)).toMatchObject([
    [{ outcome: "succeeded", chargedCredits: 1 }],
    [{ outcome: "rejected", errorCode: "approval_rejected" }],
    [],
  ]);
  expect(await memoriesOf(key)).toEqual(["approved"]);
  expect(asked).toHaveLength(3);
});

test("tells a model endpoint that is down by its setting, and works once it is back", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Back." });
  await endpoint.stop();
  const { error, timeline, chargedCredits } = await respond(key, {}, "failed");
  expect(error).toMatchObject({ code: "service_unavailable", step: "model 1" });
  expect(error.message).toContain("MODEL_BASE_URL");
  expect(chargedCredits).toBe(0);
  const retries = timeline.filter(({ type }: { type: string }) => type === "retry");
  expect(retries).toMatchObject([1, 2].map((attempt) => ({ step: "model 1", data: { attempt } })));
  expect(timeline.at(-1).data.finishedSteps).toEqual([]);
  await endpoint.start();
  expect((await respond(key)).result.output).toBe("Back.");
});

test("waits as long as the endpoint asks it to", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ status: 429, headers: { "retry-after": "2" } }, { text: "Now." });
  const started = Date.now();
  expect((await respond(key)).result.output).toBe("Now.");
  expect(Date.now() - started).toBeGreaterThanOrEqual(2000);
  expect(asked).toHaveLength(2);
});

test("takes an answer that never ends for lost, asks again, and calls the outcome unknown in the end", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ hang: true }, { text: "Half an", cut: true });
  const { error } = await respond(key, {}, "failed");
  expect(error).toMatchObject({ code: "service_timeout" });
  expect(asked).toHaveLength(3);
});

/** What the ledger and the usage say that an account was charged. */
async function chargedTo(key: string) {
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  const { body } = await api.send("GET", "/v1/audit-events?operation=runs.settle", { key });
  const credits = body.auditEvents.map(({ chargedCredits }: { chargedCredits: number }) => chargedCredits);
  return { charged: 500 - balance.totalCredits, reserved: balance.reservedCredits, audited: credits };
}

test("charges the tokens that were used, though the run fails", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ ...put("half"), usage: { prompt: 2000, completion: 500 } }, { status: 400, error: "No more." });
  const run = await respond(key, { tools: ["services.invoke.managed-memory.list"] }, "failed");
  expect(run).toMatchObject({ error: { code: "service_failed", step: "model 2" }, chargedCredits: 3 });
  expect(await chargedTo(key)).toEqual({ charged: 3, reserved: 0, audited: [3] });
});

test("charges the tokens that were used, though the run is cancelled while it waits for a person", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ ...put("never"), usage: { prompt: 2000, completion: 500 } });
  const { body } = await start(key, { tools: [PUT] });
  await runWith(api, key, body.run.id, "awaiting_approval");
  await api.send("POST", `/v1/runs/${body.run.id}/cancel`, { key, body: {} });
  expect((await runWith(api, key, body.run.id, "cancelled")).chargedCredits).toBe(3);
  expect(await chargedTo(key)).toEqual({ charged: 3, reserved: 0, audited: [3] });
});

test("takes a model's negative usage for none", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Free?", usage: { prompt: -5000, completion: 1500 } });
  const run = await respond(key);
  expect(run.result.usage).toEqual({ inputTokens: 0, outputTokens: 1500 });
  expect(run.chargedCredits).toBe(2);
});

test("ends with the key: a run whose key was revoked does nothing more", async () => {
  const { key } = await createPayingKey(api, 500);
  const child = await api.createChild(key);
  turns(put("late"), { text: "Done." });
  const { body } = await start(child.key, { tools: [PUT] });
  await runWith(api, key, body.run.id, "awaiting_approval");
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  const approval = await pendingApproval(key);
  await api.send("POST", `/v1/approvals/${approval.id}`, {
    key,
    body: { decision: "approve", payloadHash: approval.payloadHash },
  });
  const { error } = await runWith(api, key, body.run.id, "failed");
  expect(error.code).toBe("api_key_revoked");
  expect(await memoriesOf(key)).toEqual([]);
  expect(asked).toHaveLength(1);
});

test("leaves files as artifacts of its run, and tells the model what is wrong with one", async () => {
  const { key } = await createPayingKey(api, 500);
  const write = (name: string, content: string) => ({
    name: "write_artifact",
    arguments: { name, mediaType: "text/markdown", content },
  });
  turns(
    { toolCalls: [write("report.md", "# Grüße"), write("../report.md", "x"), write("a\u0000", "x")] },
    { toolCalls: [write("large.md", "€".repeat(333_334))] },
    { text: "It is in report.md." },
  );
  const run = await respond(key);
  const failed = { operation: null, outcome: "failed", errorCode: "invalid_request", chargedCredits: 0 };
  expect(run.result.steps.map(({ toolCalls }: { toolCalls: object[] }) => toolCalls)).toMatchObject([
    [{ tool: "write_artifact", operation: null, outcome: "succeeded", chargedCredits: 0 }, failed, failed],
    [failed],
    [],
  ]);
  const [made, path, nul, large] = results(asked[2] as Asked);
  expect(path.error.issues).toEqual([{ path: "body.name", message: "Is a path. Send the name alone." }]);
  expect(nul.error.issues).toEqual([{ path: "body.name", message: "Contains a NUL character." }]);
  expect(large.error.issues).toEqual([{ path: "body.content", message: "At most 1000000 bytes." }]);
  const { artifacts } = (await api.send("GET", `/v1/artifacts?runId=${run.id}`, { key })).body;
  expect(artifacts).toEqual([made.data.artifact]);
  expect(artifacts).toMatchObject([
    { serviceId: "managed-agents", name: "report.md", mediaType: "text/markdown", sizeBytes: 9 },
  ]);
  expect(run.artifactIds).toEqual([artifacts[0].id]);
  const { body } = await api.send("GET", `/v1/artifacts/${artifacts[0].id}/content`, { key });
  expect(body.toString()).toBe("# Grüße");
});

test("writes no artifact where its tools were named without that", async () => {
  const { key } = await createPayingKey(api, 500);
  const call = { name: "write_artifact", arguments: { name: "a", mediaType: "text/plain", content: "" } };
  turns({ toolCalls: [call] }, { text: "I could not." });
  const { result, artifactIds } = await respond(key, { tools: ["projects.list"] });
  expect(result.steps[0].toolCalls).toMatchObject([{ outcome: "refused", errorCode: "not_found" }]);
  expect(artifactIds).toEqual([]);
});

test("refuses unknown selectors and models, naming each, before there is a run", async () => {
  const { key } = await createPayingKey(api, 500);
  const tools = ["projects.list", "projects.explode", "apiKeys.create"];
  const refused = await start(key, { tools, model: "dearest" });
  expect(refused.body.error).toMatchObject({
    status: 400,
    issues: [
      { path: "body.input.tools.1" },
      { path: "body.input.tools.2" },
      { path: "body.input.model", message: "dearest is none of the platform's models: small, large." },
    ],
  });
});

test("asks the model that was named, and does without any tools", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Done." });
  expect((await respond(key, { model: "large", tools: [] })).result.output).toBe("Done.");
  expect(asked[0]?.body.model).toBe("large");
  expect(asked[0]?.body.tools).toBeUndefined();
});

test("shows the model the beginning of a tool's answer that is too large", async () => {
  const { key } = await createPayingKey(api, 500);
  await invokeMemory(api, key, "put", { name: "long", content: "x".repeat(50_000) });
  const get = "services_invoke_managed-memory_get";
  turns({ toolCalls: [{ name: get, arguments: { input: { name: "long" } } }] }, { text: "Long." });
  await respond(key);
  const [shown] = asked[1]?.body.messages.filter(({ role }: { role: string }) => role === "tool") ?? [];
  expect(shown.content.length).toBeLessThan(16_384);
  expect(results(asked[1] as Asked)[0].truncated).toMatchObject({
    bytes: expect.any(Number),
    beginning: expect.stringContaining('{"data":{"serviceId":"managed-memory"'),
  });
});
