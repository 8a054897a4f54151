import { expect, test } from "vitest";
import { PUT, PUT_TOOL, put, results, startAgents } from "#server/testing/agents.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import type { Asked } from "#server/testing/model-server.ts";
import { runWith } from "#server/testing/runs.ts";

const { api, asked, turns, start, respond, memoriesOf, pendingApproval } = await startAgents();

test("answers in one step, charges per started thousand tokens, and reports its usage", async () => {
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
  const { balance } = await api.mustSend(200, "GET", "/v1/credits/balance", { key });
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

test("by default offers the tools that the key may read with, and no others", async () => {
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
  const [list, balance] = results(asked);
  expect(list.data.projects).toMatchObject([{ name: "Shop" }]);
  expect(balance.data.balance.totalCredits).toBe(500);
  expect(results(asked)[2].error).toMatchObject({
    code: "invalid_request",
    operationState: "not_started",
    issues: [{ path: "query.groupBy" }],
  });
});

test("tells the model why a forbidden, unknown or malformed tool call did nothing", async () => {
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
  expect(results(asked)[0].error.message).toContain("projects:write");
  expect((await api.mustSend(200, "GET", "/v1/projects", { key })).projects).toEqual([]);
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

test("waits for a person before it changes anything, and continues after the decision", async () => {
  const { key } = await createPayingKey(api, 500);
  turns(put("approved"), put("rejected"), { text: "One was kept." });
  const { body } = await start(key, { tools: [PUT] });
  const { id } = body.run;
  const decide = async (decision: string) => {
    const approval = await pendingApproval(key);
    expect((await runWith(api, key, id, "awaiting_approval")).finishedAt).toBeNull();
    await api.mustSend(200, "POST", `/v1/approvals/${approval.id}`, {
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

test("ends with the key: a run whose key was revoked does nothing more", async () => {
  const { key } = await createPayingKey(api, 500);
  const child = await api.createChild(key);
  turns(put("late"), { text: "Done." });
  const { body } = await start(child.key, { tools: [PUT] });
  await runWith(api, key, body.run.id, "awaiting_approval");
  await api.mustSend(200, "DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  const approval = await pendingApproval(key);
  await api.mustSend(200, "POST", `/v1/approvals/${approval.id}`, {
    key,
    body: { decision: "approve", payloadHash: approval.payloadHash },
  });
  const { error } = await runWith(api, key, body.run.id, "failed");
  expect(error.code).toBe("api_key_revoked");
  expect(await memoriesOf(key)).toEqual([]);
  expect(asked).toHaveLength(1);
});

test("stores files as artifacts of its run, and tells the model the faults of one", async () => {
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
  const [made, path, nul, large] = results(asked);
  expect(path.error.issues).toEqual([{ path: "body.name", message: "Is a path. Send the name alone." }]);
  expect(nul.error.issues).toEqual([{ path: "body.name", message: "Contains a NUL character." }]);
  expect(large.error.issues).toEqual([{ path: "body.content", message: "At most 1000000 bytes." }]);
  const { artifacts } = await api.mustSend(200, "GET", `/v1/artifacts?runId=${run.id}`, { key });
  expect(artifacts).toEqual([made.data.artifact]);
  expect(artifacts).toMatchObject([
    { serviceId: "managed-agents", name: "report.md", mediaType: "text/markdown", sizeBytes: 9 },
  ]);
  expect(run.artifactIds).toEqual([artifacts[0].id]);
  const content = await api.mustSend(200, "GET", `/v1/artifacts/${artifacts[0].id}/content`, { key });
  expect(content.toString()).toBe("# Grüße");
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

test("shows the model the beginning of a tool's answer that is too large", async () => {
  const { key } = await createPayingKey(api, 500);
  await invokeMemory(api, key, "put", { name: "long", content: "x".repeat(50_000) });
  const get = "services_invoke_managed-memory_get";
  turns({ toolCalls: [{ name: get, arguments: { input: { name: "long" } } }] }, { text: "Long." });
  await respond(key);
  const [shown] = asked.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === "tool") ?? [];
  expect(shown.content.length).toBeLessThan(16_384);
  expect(results(asked)[0].truncated).toMatchObject({
    bytes: expect.any(Number),
    beginning: expect.stringContaining('{"data":{"serviceId":"managed-memory"'),
  });
});
