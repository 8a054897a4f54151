import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { consumeApproval, serviceActionUse } from "./queries.ts";

/** An endpoint that needs an approval, unless its input says that nothing would be lost. */
const wipe = operation({
  id: "test.wipe",
  method: "DELETE",
  path: "/test-wipe",
  summary: "Delete everything of a test",
  scope: "projects:write",
  idempotent: true,
  approval: {
    operationId: "wipe",
    input: z.strictObject({}),
    summarize: async () => "Delete everything of the test for good.",
  },
  query: z.object({ empty: z.literal("yes").optional(), approvalId: z.string().optional() }),
  output: z.object({ wiped: z.boolean() }),

  async handler({ query: { empty, approvalId }, caller, db }) {
    const action = { serviceId: "platform-api", operationId: "wipe", input: {}, approvalId };
    if (!empty) await consumeApproval(db, { ...serviceActionUse(action), caller });
    return { wiped: true };
  },
});

const api = await startApi({ extra: [wipe] });
const ACTION = { serviceId: "platform-api", operationId: "wipe", input: {} };

test("approves an endpoint's action, and the endpoint uses the approval up", async () => {
  const { key } = await api.createRootKey();
  const call = (query: string) => api.send("DELETE", `/v1/test-wipe${query}`, { key });
  expect((await call("?empty=yes")).status).toBe(200);
  expect((await call("")).body.error).toMatchObject({ status: 403, code: "approval_required" });
  const asked = await api.send("POST", "/v1/approvals/service-actions", { key, body: ACTION });
  expect(asked.body.approval).toMatchObject({
    subject: { serviceId: "platform-api", operationId: "wipe", id: null },
    summary: "Delete everything of the test for good.",
    payload: ACTION,
  });
  await decide(api, key, asked.body.approval);
  const approved = `?approvalId=${asked.body.approval.id}`;
  expect((await call(approved)).body).toEqual({ ok: true, wiped: true });
  expect((await call(approved)).body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("shows in the catalogue which operations need an approval", async () => {
  const { key } = await api.createRootKey();
  const needing = async (serviceId: string) => {
    const { body } = await api.send("GET", `/v1/capabilities/${serviceId}?limit=100`, { key });
    return body.capabilities.flatMap((capability: { operationId: string; requiresApproval: boolean }) =>
      capability.requiresApproval ? capability.operationId : [],
    );
  };
  expect(await needing("platform-api")).toEqual(["test.wipe"]);
  expect(await needing("managed-memory")).toEqual(["delete"]);
});

test("works over MCP as over HTTP", async () => {
  const { key } = await createPayingKey(api, 10);
  await invokeMemory(api, key, "put", { name: "greeting", content: "Hello, world." });
  const { call } = await connectMcp(api.origin, key);
  const write = (operation: string, input: unknown) =>
    call("execute_write", { operation, input, idempotencyKey: unique("mcp") });
  const refused = await write("services.invoke.managed-memory.delete", { input: { name: "greeting" } });
  expect(refused).toMatchObject({ isError: true, meta: { status: 403 } });
  expect(refused.text).toContain("approval_required");
  const asked = await write("approvals.create", {
    serviceId: "managed-memory",
    operationId: "delete",
    input: { name: "greeting" },
  });
  const { id: approvalId, payloadHash } = asked.body.approval;
  await write("approvals.decide", { approvalId, payloadHash, decision: "approve" });
  const done = await write("services.invoke.managed-memory.delete", {
    input: { name: "greeting" },
    approvalId,
  });
  expect(done.body).toMatchObject({ result: { memory: { name: "greeting" } } });
});

test("needs approvals.create and approvals.decide beside the delete operation", async () => {
  const { key } = await createPayingKey(api, 10);
  await invokeMemory(api, key, "put", { name: "greeting", content: "Hello, world." });
  const forget = "services.invoke.managed-memory.delete";
  const only = await api.createChild(key, { allowedOperations: [forget] });
  const ask = (secret: string) =>
    api.send("POST", "/v1/approvals/service-actions", {
      key: secret,
      body: { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } },
    });
  expect((await ask(only.key)).body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  const supported = await api.createChild(key, {
    allowedOperations: [forget, "approvals.create", "approvals.decide"],
    allowedServices: ["managed-memory"],
  });
  const { approval } = (await ask(supported.key)).body;
  await decide(api, supported.key, approval);
  const done = await api.send("POST", "/v1/services/managed-memory/invoke", {
    key: supported.key,
    body: { operationId: "delete", input: { name: "greeting" }, approvalId: approval.id },
  });
  expect(done.status).toBe(200);
});
