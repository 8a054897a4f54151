import { expect, test } from "vitest";
import { everyOperation } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, PASSWORD, signInMember, signUpAndIn, trySignIn } from "#server/testing/console.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const owner = signUpAndIn(api);

test("runs the platform's operations for a member: reads as queries, writes as mutations", async () => {
  const ada = await signUpAndIn(api);
  const created = await ada.mutate("projects.create", { name: "Web shop" });
  expect(created).toMatchObject({ status: 200, data: { project: { name: "Web shop", slug: "web-shop" } } });
  const listed = await ada.query("projects.list", { limit: 1 });
  expect(listed.data).toEqual({ projects: [created.data.project], nextCursor: null });
  const projectId = created.data.project.id;
  const updated = await ada.mutate("projects.update", { projectId, description: "Orders" });
  expect(updated.data.project).toMatchObject({ id: projectId, description: "Orders" });
});

test("carries the platform's whole error body", async () => {
  const ada = await signUpAndIn(api);
  const refused = await ada.mutate("projects.create", { nam: "Web shop" });
  expect(refused.status).toBe(400);
  expect(refused.error).toMatchObject({
    code: "invalid_request",
    status: 400,
    operationState: "not_started",
    docUrl: "http://platform.test/docs/errors/invalid_request",
    issues: [{ path: "body.name" }, { path: "body.nam", message: "Unknown field." }],
  });
  expect(refused.error.requestId).toMatch(/^req_/);
  const missing = await ada.query("projects.read", { projectId: "proj_01jzzzzzzzzzzzzzzzzzzzzzzz" });
  expect(missing).toMatchObject({ status: 404, error: { code: "not_found" } });
  const nameless = await ada.query("projects.read", {});
  expect(nameless).toMatchObject({ status: 400, error: { issues: [{ path: "projectId" }] } });
});

test("refuses a mutation that another site's page sends", async () => {
  const ada = await signUpAndIn(api);
  const refused = await ada.mutate("projects.create", { name: "A" }, { origin: "https://evil.test" });
  expect(refused).toMatchObject({ status: 403, error: { code: "policy_denied" } });
  expect((await ada.query("projects.list")).data.projects).toEqual([]);
});

test("performs a mutation once under its idempotency key", async () => {
  const ada = await signUpAndIn(api);
  const key = { "idempotency-key": "one-act-1" };
  const first = await ada.mutate("projects.create", { name: "Shop" }, key);
  const again = await ada.mutate("projects.create", { name: "Shop" }, key);
  expect(again.data).toEqual(first.data);
  expect((await ada.query("projects.list")).data.projects).toHaveLength(1);
});

test("resolves a period's span when it is called, and keeps it from page to page", async () => {
  const ada = await signUpAndIn(api);
  for (const name of ["A", "B", "C"]) await ada.mutate("projects.create", { name });
  const lastHour = { from: "1h", limit: 1, total: "include" };
  const first = (await ada.query("projects.list", lastHour)).data;
  expect(first.total).toEqual({ count: 3, more: false });
  expect(first.nextCursor).toMatch(/^[\w-]+\.\d{13}$/);
  // The second call resolves its span to a later moment, which its cursor would not belong to.
  const second = (await ada.query("projects.list", { ...lastHour, cursor: first.nextCursor })).data;
  expect(second.projects).toMatchObject([{ name: "B" }]);
  const third = (await ada.query("projects.list", { ...lastHour, cursor: second.nextCursor })).data;
  expect(third).toMatchObject({ projects: [{ name: "A" }], nextCursor: null });
  expect((await ada.query("projects.list", { from: "0h" })).data).toEqual({ projects: [], nextCursor: null });
  const refused = await ada.query("projects.list", { to: "1h" });
  expect(refused).toMatchObject({ status: 400, error: { issues: [{ path: "query.to" }] } });
});

test("answers 401 without a session", async () => {
  const nobody = caller(api, "");
  expect(await nobody.query("projects.list")).toMatchObject({
    status: 401,
    error: { code: "unauthenticated" },
  });
});

test("answers unknown procedures, broken and oversized bodies with the platform's errors", async () => {
  const ada = await signUpAndIn(api);
  expect(await ada.query("projects.nothing")).toMatchObject({ status: 404, error: { code: "not_found" } });
  const send = (body: string) =>
    fetch(`${api.origin}/api/trpc/projects.create`, {
      method: "POST",
      headers: { cookie: ada.cookie, origin: "http://platform.test", "content-type": "application/json" },
      body,
    });
  const broken = await send("{");
  expect(broken.status).toBe(400);
  expect((await broken.json()).error.data.error.code).toBe("invalid_json");
  const oversized = await send(JSON.stringify("x".repeat(1_048_577)));
  expect(oversized.status).toBe(413);
  expect((await oversized.json()).error.data.error.code).toBe("payload_too_large");
});

const writes = everyOperation.filter(
  ({ method, scope, people, surfaces }) =>
    method !== "GET" && surfaces.includes("console") && !scope?.endsWith(":read") && people !== "members",
);

test.each(writes.map(({ operationId }) => operationId))("refuses a viewer %s", async (operationId) => {
  const { accountId } = await owner;
  const viewer = await signInMember(api, accountId, "viewer");
  expect(await viewer.mutate(operationId)).toMatchObject({
    status: 403,
    error: { code: "scope_missing", check: "scope", operationState: "not_started" },
  });
});

test("answers a repeat that holds a secret alike within the session, and in another one 409", async () => {
  const ada = await signUpAndIn(api);
  const elsewhere = caller(api, (await trySignIn(api, { email: ada.email, password: PASSWORD })).cookie);
  const key = { "idempotency-key": "new-key-1" };
  const body = { label: "Backend", scopes: ["projects:read"] };
  const first = await ada.mutate("apiKeys.create", body, key);
  expect(first.data.secret).toMatch(/^svc_live_/);
  expect((await ada.mutate("apiKeys.create", body, key)).data).toEqual(first.data);
  expect(await elsewhere.mutate("apiKeys.create", body, key)).toMatchObject({
    status: 409,
    error: { code: "state_conflict" },
  });
});

test("limits a page's input like any body, and parses nothing for a caller without a session", async () => {
  const ada = await signUpAndIn(api);
  const many = { name: "Shop", metadata: Array.from({ length: 200_000 }, () => 0) };
  expect(await ada.mutate("projects.create", many)).toMatchObject({
    status: 400,
    error: {
      code: "invalid_request",
      issues: [{ message: expect.stringContaining("passes 200000 values") }],
    },
  });
  expect(await caller(api, "").mutate("projects.create", many)).toMatchObject({
    status: 401,
    error: { code: "unauthenticated" },
  });
});

test("accepts only JSON", async () => {
  const form = new FormData();
  form.set("name", "Shop");
  const url = `${api.origin}/api/trpc/projects.create`;
  const origin = api.platform.settings.baseUrl;
  const answer = await fetch(url, { method: "POST", headers: { origin }, body: form });
  expect(answer.status).toBe(415);
  expect((await answer.json()).error.data.error.code).toBe("unsupported_media_type");
});
