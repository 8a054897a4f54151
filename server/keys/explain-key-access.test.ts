import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { type caller, signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();

type Console = ReturnType<typeof caller>;

/** Creates a root key of a member with a child below it. */
async function chainOf(member: Console, root: object, child: object) {
  const made = await member.mutate("apiKeys.create", { label: "Root", ...root });
  const rootId = made.data.apiKey.id;
  const below = await member.mutate("apiKeys.delegate", { parentId: rootId, label: "Child", ...child });
  return { rootId, childId: below.data.apiKey.id, secret: below.data.secret };
}

async function explain(member: Console, keyId: string, operation: string) {
  const { data } = await member.query("apiKeys.access.explain", { keyId, operation });
  return data.decision;
}

const states = (decision: { checks: { check: string; state: string; keyId: string | null }[] }) =>
  Object.fromEntries(decision.checks.map(({ check, state, keyId }) => [check, keyId ?? state]));

test("names the key of the chain that refuses at each check, and the first check that does", async () => {
  const ada = await signUpAndIn(api);
  const scopes = ["projects:read", "services:read", "services:invoke"];
  const { rootId, childId, secret } = await chainOf(
    ada,
    { scopes, allowedServices: ["managed-memory"] },
    { scopes: ["projects:read", "services:invoke"], allowedOperations: ["projects.list", "services.invoke"] },
  );
  expect(states(await explain(ada, childId, "projects.list"))).toEqual({
    key: "passed",
    scope: "passed",
    service: "passed",
    operation: "passed",
    limit: "passed",
  });
  const beyond = await explain(ada, childId, "runs.create.managed-agents.respond");
  expect(beyond).toMatchObject({ allowed: false, deniedBy: { check: "scope", keyId: rootId } });
  expect(states(beyond)).toEqual({
    key: "passed",
    scope: rootId,
    service: rootId,
    operation: childId,
    limit: "not_reached",
  });
  expect(beyond.chain.map(({ id }: { id: string }) => id)).toEqual([rootId, childId]);
  const answer = await api.send("GET", "/v1/services", { key: secret });
  expect(answer.body.error).toMatchObject({ check: "scope", keyId: childId });
  expect((await explain(ada, childId, "services.list")).deniedBy).toEqual({ check: "scope", keyId: childId });
});

test("names an exhausted limit above the key, and of the limits that count", async () => {
  const ada = await signUpAndIn(api);
  const { rootId, childId, secret } = await chainOf(
    ada,
    { scopes: ["projects:read"], limits: { "projects.list": { requestsPerMinute: 1 } } },
    {
      scopes: ["projects:read"],
      limits: { "*": { maxConcurrent: 5 }, "projects.read": { maxConcurrent: 1 } },
    },
  );
  expect((await explain(ada, childId, "projects.list")).limits).toEqual([
    { selector: "projects.list", kind: "requestsPerMinute", value: 1, keyId: rootId },
    { selector: "*", kind: "maxConcurrent", value: 5, keyId: childId },
  ]);
  expect((await api.send("GET", "/v1/projects", { key: secret })).status).toBe(200);
  expect(await explain(ada, childId, "projects.list")).toMatchObject({
    allowed: false,
    deniedBy: { check: "limit", keyId: rootId },
  });
  expect((await api.send("GET", "/v1/projects", { key: secret })).status).toBe(429);
});

test("refuses a key below one that was revoked", async () => {
  const ada = await signUpAndIn(api);
  const scopes = ["projects:read"];
  const { rootId, childId } = await chainOf(ada, { scopes }, { scopes });
  await ada.mutate("apiKeys.revoke", { id: rootId });
  expect((await explain(ada, childId, "projects.list")).deniedBy).toEqual({ check: "key", keyId: rootId });
});

test("explains nothing of another account's keys, of public operations, and to viewers", async () => {
  const ada = await signUpAndIn(api);
  const scopes = ["projects:read"];
  const { childId } = await chainOf(ada, { scopes }, { scopes });
  const asked = { keyId: childId, operation: "projects.list" };
  const stranger = await signUpAndIn(api);
  expect(await stranger.query("apiKeys.access.explain", asked)).toMatchObject({ status: 404 });
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect(await viewer.query("apiKeys.access.explain", asked)).toMatchObject({ status: 403 });
  for (const operation of ["health.read", "projects.nothing", "members.list"])
    expect(await ada.query("apiKeys.access.explain", { ...asked, operation })).toMatchObject({
      status: 400,
      error: { issues: [{ path: "query.operation" }] },
    });
});
