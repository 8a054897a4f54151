import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { sealBatch } from "./seal-events.ts";

const api = await startApi();
await startDelivering(api);

/** A member's view of their account, in which a key was refused for its scope and a project was made. */
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

test("tells of a refused request what its code means, which scope it needed, and the call", async () => {
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
  expect(data.call).toEqual({ method: "GET", path: "/projects", idempotent: false, headers: {} });
});

test("names the limit that refused a request, before and after it is in the chain", async () => {
  const member = await signUpAndIn(api);
  const limits = { "*": { requestsPerMinute: 1 } };
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
    await sealBatch(api.platform.database.client);
  }
});

test("shows what a request booked, and the events that it caused with their deliveries", async () => {
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

test("names in the call what the request was about", async () => {
  const { member, project } = await startAccount();
  await member.mutate("projects.update", { projectId: project.id, name: "Store" });
  const [event] = await eventsOf(member, { operation: "projects.update" });
  const { data } = await member.query("auditEvents.read", { eventId: event?.id });
  expect(data.meaning).toBe(null);
  expect(data.call).toMatchObject({ method: "PATCH", path: `/projects/${project.id}`, idempotent: true });
});

test("answers another account's event as a missing one", async () => {
  const { member } = await startAccount();
  const stranger = await signUpAndIn(api);
  const [event] = await eventsOf(member, {});
  const foreign = await stranger.query("auditEvents.read", { eventId: event?.id });
  expect(foreign.status).toBe(404);
  expect(foreign.error.message).toBe(`No audit event ${event?.id}.`);
  const missing = await stranger.query("auditEvents.read", { eventId: "evt_00000000000000000000000000" });
  expect(missing.error.message).toBe("No audit event evt_00000000000000000000000000.");
});

test("leaves out what members only looked at where that is asked for, and nothing else", async () => {
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
