import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { startRuns } from "#server/testing/runs.ts";
import { startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import type { AuditCheck } from "./schema.ts";
import { sealBatch } from "./seal-events.ts";

const api = await startApi();
await startDelivering(api);
await startRuns(api);

/** Creates an account with a member, in which a key was refused for its scope and a project was created. */
async function startAccount() {
  const member = await signUpAndIn(api);
  const made = await member.mutate("apiKeys.create", { label: "Backend", scopes: ["projects:write"] });
  const { secret: key } = made.data;
  const refused = await api.send("GET", "/v1/projects", { key });
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project;
  return { member, project, refused };
}

async function eventsOf(
  member: Awaited<ReturnType<typeof signUpAndIn>>,
  query: object,
): Promise<{ id: string; operation: string }[]> {
  return (await member.query("auditEvents.list", query)).data.auditEvents;
}

test("says what the error code of a refused request means, which scope it needed, and the call", async () => {
  const { member, refused } = await startAccount();
  const [event] = await eventsOf(member, { requestId: refused.headers.get("x-request-id") });
  const { status, data } = await member.query("auditEvents.read", { eventId: event?.id });
  expect(status).toBe(200);
  expect(data.auditEvent).toMatchObject({
    operation: "projects.list",
    status: 403,
    errorCode: "scope_missing",
  });
  expect(data.meaning).toBe("The key, or one above it, lacks the scope.");
  expect(data.scope).toBe("projects:read");
  expect(data.refusal).toEqual({ check: "scope", keyId: expect.stringMatching(/^key_/), limit: null });
  expect(data.effects).toEqual({ entries: [], events: [] });
  const keyId = data.refusal.keyId;
  const all = data.checks.map(({ check, outcome, asked }: AuditCheck) => [check, outcome, asked]);
  expect(all).toEqual([
    ["credential", "passed", null],
    ["scope", "refused", "projects:read"],
    ["operation", "not_reached", "projects.list"],
    ["limit", "not_reached", null],
    ["call", "not_reached", null],
  ]);
  expect(data.checks[1].keyId).toBe(keyId);
  expect([data.body, data.replayOf]).toEqual([null, null]);
  expect(data.call).toEqual({ method: "GET", path: "/projects", idempotent: false, headers: {} });
});

test("names the limit that refused a request, before and after the event is chained", async () => {
  const member = await signUpAndIn(api);
  const limits = {
    "*": { requestsPerMinute: 1 },
    "projects.list": { requestsPerMinute: 9, maxConcurrent: 5 },
  };
  const made = await member.mutate("apiKeys.create", { label: "Slow", scopes: ["projects:read"], limits });
  const { secret: key, apiKey } = made.data;
  await api.send("GET", "/v1/projects", { key });
  const limited = await api.send("GET", "/v1/projects", { key });
  expect(limited.status).toBe(429);
  const [event] = await eventsOf(member, { requestId: limited.headers.get("x-request-id") });
  for (const state of ["pending", "chained"]) {
    const { data } = await member.query("auditEvents.read", { eventId: event?.id });
    expect(data.refusal, state).toEqual({
      check: "limit",
      keyId: apiKey.id,
      limit: { operation: "*", kind: "requestsPerMinute", limit: 1 },
    });
    const { id: keyId } = apiKey;
    const asked = "projects.list";
    expect(
      data.checks.filter(({ check }: AuditCheck) => check === "limit"),
      state,
    ).toEqual([
      {
        check: "limit",
        outcome: "refused",
        keyId,
        asked: "*",
        limit: { kind: "requestsPerMinute", limit: 1, used: 1 },
      },
      {
        check: "limit",
        outcome: "not_reached",
        keyId,
        asked,
        limit: { kind: "requestsPerMinute", limit: 9, used: 1 },
      },
      {
        check: "limit",
        outcome: "not_reached",
        keyId,
        asked,
        limit: { kind: "maxConcurrent", limit: 5, used: null },
      },
    ]);
    await sealBatch(api.platform.database.client);
  }
});

test("shows the credits that a request booked, and the events that it caused with their deliveries", async () => {
  const member = await signUpAndIn(api);
  const endpoint = await startEndpoint();
  const hook = await member.mutate("webhooks.create", { url: endpoint.url, events: ["project.*"] });
  const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } };
  await member.mutate("services.invoke", put);
  const { project } = (await member.mutate("projects.create", { name: "Shop" })).data;
  const [charged] = await eventsOf(member, { operation: "services.invoke" });
  expect((await member.query("auditEvents.read", { eventId: charged?.id })).data.effects.entries).toEqual([
    { id: expect.stringMatching(/^rcpt_/), description: "managed-memory put", amount: -1 },
  ]);
  const [created] = await eventsOf(member, { operation: "projects.create" });
  const delivery = {
    id: expect.stringMatching(/^del_/),
    webhookId: hook.data.webhook.id,
    status: "succeeded",
  };
  await expect
    .poll(async () => (await member.query("auditEvents.read", { eventId: created?.id })).data.effects.events)
    .toEqual([{ id: expect.stringMatching(/^whe_/), type: "project.created", deliveries: [delivery] }]);
  expect(project.name).toBe("Shop");
});

test("counts how much of an ancestor's limit all its keys had used at a request, and the credits spent that day", async () => {
  const above = { "services.invoke": { requestsPerMinute: 10, creditsPerDay: 50 } };
  const parent = await createPayingKey(api, 100, { label: "Above", limits: above });
  const child = await api.createChild(parent.key, { label: "Below" });
  for (const { key } of [parent, child, child]) await invokeMemory(api, key, "put", { content: "Tea" });
  const member = await signInMember(api, parent.accountId, "owner");
  const [last, , first] = await eventsOf(member, { operation: "services.invoke" });
  for (const [event, used] of [
    [first, 1],
    [last, 3],
  ] as const) {
    const { data } = await member.query("auditEvents.read", { eventId: event?.id });
    const common = {
      check: "limit",
      outcome: "passed",
      keyId: parent.apiKey.id,
      asked: "services.invoke",
    };
    expect(data.checks.filter(({ check }: AuditCheck) => check === "limit")).toEqual([
      { ...common, limit: { kind: "requestsPerMinute", limit: 10, used } },
      { ...common, limit: { kind: "creditsPerDay", limit: 50, used: 3 } },
    ]);
    expect(data.checks).toContainEqual({
      check: "operation",
      outcome: "passed",
      keyId: used === 1 ? parent.apiKey.id : child.apiKey.id,
      asked: "services.invoke.managed-memory.put",
      limit: null,
    });
  }
});

test("names the original request of a replay, before and after the event is chained", async () => {
  const { key, accountId } = await api.createRootKey();
  const member = await signInMember(api, accountId, "owner");
  const send = () =>
    api.send("POST", "/v1/projects", { key, body: { name: "Shop" }, idempotencyKey: "shop-once" });
  const [first, again] = [await send(), await send()];
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("first-request")).toBeNull();
  const requestOf = ({ headers }: typeof first) => headers.get("x-request-id");
  const [replay] = await eventsOf(member, { requestId: requestOf(again) });
  const [made] = await eventsOf(member, { requestId: requestOf(first) });
  for (const state of ["pending", "chained"]) {
    const { data } = await member.query("auditEvents.read", { eventId: replay?.id });
    expect(data.replayOf, state).toBe(requestOf(first));
    expect((await member.query("auditEvents.read", { eventId: made?.id })).data.replayOf, state).toBeNull();
    await sealBatch(api.platform.database.client);
  }
});

test("shows the body of a call that a run stores, and says why other bodies are not stored", async () => {
  const body = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea, not coffee." } };
  const seen: Record<string, unknown> = {};
  for (const privacyTier of ["standard", "private", "strict"]) {
    const { key, accountId } = await createPayingKey(api, 10, { privacyTier });
    const member = await signInMember(api, accountId, "owner");
    const { run } = (await api.send("POST", "/v1/runs", { key, body })).body;
    const ended = async () => (await api.send("GET", `/v1/runs/${run.id}`, { key })).body.run.status;
    await expect.poll(ended).toBe("succeeded");
    const [event] = await eventsOf(member, { operation: "runs.create" });
    const { data } = await member.query("auditEvents.read", { eventId: event?.id });
    seen[privacyTier] = data.body;
    if (privacyTier === "standard") expect(data.call.body).toEqual(body);
    const [other] = await eventsOf(member, { operation: "apiKeys.create" });
    if (other) seen.other = (await member.query("auditEvents.read", { eventId: other.id })).data.body;
  }
  expect(seen).toEqual({
    standard: { body, why: null },
    // The original call's idempotency window must pass first.
    private: { body, why: null },
    strict: {
      body: null,
      why: "The key’s privacy tier is strict: a run’s input is deleted after its end.",
    },
    other: { body: null, why: expect.stringMatching(/^No privacy tier stores the bodies of calls\./) },
  });
});

test("names the resource of the request in the call", async () => {
  const { member, project } = await startAccount();
  await member.mutate("projects.update", { projectId: project.id, name: "Store" });
  const [event] = await eventsOf(member, { operation: "projects.update" });
  const { data } = await member.query("auditEvents.read", { eventId: event?.id });
  expect(data.meaning).toBe(null);
  expect(data.call).toMatchObject({ method: "PATCH", path: `/projects/${project.id}`, idempotent: true });
});

test("responds to another account's event like to a missing one", async () => {
  const { member } = await startAccount();
  const stranger = await signUpAndIn(api);
  const [event] = await eventsOf(member, {});
  const foreign = await stranger.query("auditEvents.read", { eventId: event?.id });
  expect(foreign.status).toBe(404);
  expect(foreign.error.message).toBe(`No audit event ${event?.id}.`);
  const missing = await stranger.query("auditEvents.read", { eventId: "evt_00000000000000000000000000" });
  expect(missing.error.message).toBe("No audit event evt_00000000000000000000000000.");
});

test("leaves out members' reads on request, and nothing else", async () => {
  const { member } = await startAccount();
  await member.query("projects.list");
  await member.query("projects.read", { projectId: "proj_00000000000000000000000000" });
  const operations = async (query: object) =>
    (await eventsOf(member, query)).map(({ operation }) => operation);
  expect(await operations({ consoleReads: "exclude" })).toEqual([
    "projects.read",
    "projects.create",
    "projects.list",
    "apiKeys.create",
    "sessions.create",
    "accounts.create",
  ]);
  expect(await operations({ operation: "projects.list" })).toHaveLength(2);
});
