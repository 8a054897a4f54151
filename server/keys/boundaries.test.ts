import { expect, test } from "vitest";
import { ALL_SCOPES, startApi } from "#server/testing/api.ts";

const api = await startApi();
const DAY = 86_400_000;

const create = (key: string, body: Record<string, unknown>) =>
  api.send("POST", "/v1/api-keys", { key, body: { label: "Child", scopes: [], ...body } });

test("reports the boundaries that hold over the whole chain, when made and when listed", async () => {
  const open = await api.createRootKey();
  const free = await api.createChild((await api.createChild(open.key)).key);
  expect(free.apiKey).toMatchObject({ allowedServices: null, allowedOperations: null });
  const boundary = {
    allowedServices: ["managed-memory"],
    allowedOperations: ["apiKeys.create", "apiKeys.list", "services.list"],
  };
  const bounded = await api.createChild(open.key, boundary);
  const child = await api.createChild(bounded.key, {
    allowedOperations: boundary.allowedOperations.slice(0, 2),
  });
  const grandchild = await api.createChild(child.key);
  const effective = {
    allowedServices: ["managed-memory"],
    allowedOperations: ["apiKeys.list", "apiKeys.create"],
  };
  expect(grandchild.apiKey).toMatchObject(effective);
  const list = await api.send("GET", "/v1/api-keys", { key: grandchild.key });
  expect(list.body.apiKeys).toMatchObject([{ id: grandchild.apiKey.id, ...effective }]);
});

test("refuses names that nothing has, and both of a pair, every fault at once", async () => {
  const { key } = await api.createRootKey();
  const answer = await create(key, {
    allowedServices: ["managed-memory", "nope"],
    excludedServices: [],
    allowedOperations: ["projects.lst"],
    excludedOperations: [],
    limits: { "projects.list": { creditsPerDay: 5 }, nope: { requestsPerMinute: 1 } },
  });
  expect(answer.body.error).toMatchObject({ status: 400, code: "invalid_request" });
  expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([
    "body.allowedServices.1",
    "body.allowedOperations.0",
    "body.excludedServices",
    "body.excludedOperations",
    "body.limits.projects.list.creditsPerDay",
    "body.limits.nope",
  ]);
});

test("reports unknown names together with faults of form, and with those of the query", async () => {
  const { key } = await api.createRootKey();
  const answer = await api.send("POST", "/v1/api-keys?surprise=1", {
    key,
    body: {
      label: 5,
      scopes: ["nothing:read", "wallets:sign"],
      allowedServices: ["nope", 5],
      limits: { nope: { requestsPerMinute: 0 } },
      expiresAt: new Date(Date.now() + 100 * DAY).toISOString(),
    },
  });
  expect(answer.body.error).toMatchObject({ status: 400, code: "invalid_request" });
  expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([
    "query.surprise",
    "body.label",
    "body.scopes.0",
    "body.allowedServices.1",
    "body.limits.nope.requestsPerMinute",
    "body.allowedServices.0",
    "body.limits.nope",
    "body.expiresAt",
  ]);
});

test("stores exclusions as the explicit allowlist of that moment", async () => {
  const { key } = await api.createRootKey();
  const child = await api.createChild(key, {
    excludedServices: ["managed-wallets"],
    excludedOperations: ["projects.list"],
  });
  expect(child.apiKey.allowedServices).toEqual([
    "platform-api",
    "managed-database",
    "managed-trading",
    "universal-swaps",
    "managed-agents",
    "managed-workflows",
    "managed-memory",
    "managed-triggers",
    "managed-events",
  ]);
  expect(child.apiKey.allowedOperations).toContain("projects.read");
  expect(child.apiKey.allowedOperations).not.toContain("projects.list");
  const list = await api.send("GET", "/v1/projects", { key: child.key });
  expect(list.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
});

test("keeps operations that were registered after the key out of its reach", async () => {
  const { key } = await api.createRootKey({ scopes: ALL_SCOPES });
  await api.platform.database
    .client`update api_keys set operations_as_of = now() - interval '1 day' where label = 'Root'`;
  const answer = await api.send("GET", "/v1/projects", { key });
  expect(answer.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  await api.platform.database.client`update api_keys set operations_as_of = now() where label = 'Root'`;
});
