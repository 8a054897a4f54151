import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const DAY = 86_400_000;

const create = (key: string, body: Record<string, unknown>) =>
  api.send("POST", "/v1/api-keys", { key, body: { label: "Child", scopes: [], ...body } });

test("lets no child be wider than a key above it, and names each excess with the ancestor", async () => {
  const root = await api.createRootKey({
    scopes: ["projects:read", "api_keys:manage"],
    allowedServices: ["managed-memory"],
    limits: { "*": { requestsPerMinute: 10 } },
  });
  const middle = await api.createChild(root.key, { scopes: ["projects:read", "api_keys:manage"] });
  const wide = await create(middle.key, {
    scopes: ["projects:read", "projects:write"],
    allowedServices: ["managed-wallets"],
    limits: { "projects.list": { requestsPerMinute: 11 } },
    expiresAt: new Date(Date.now() + 200 * DAY).toISOString(),
  });
  expect(wide.status).toBe(403);
  expect(wide.body.error.code).toBe("delegation_exceeds_parent");
  const id = root.apiKey.id;
  expect(wide.body.error.issues).toEqual([
    { path: "body.scopes.1", message: `The scope projects:write exceeds key ${id}.` },
    { path: "body.allowedServices", message: `The service managed-wallets exceeds key ${id}.` },
    { path: "body.expiresAt", message: expect.stringContaining(`exceeds key ${id}.`) },
    {
      path: "body.limits.projects.list.requestsPerMinute",
      message: `11 exceeds 10, the requestsPerMinute of key ${id} on *.`,
    },
  ]);
  const narrow = await create(middle.key, {
    scopes: ["projects:read"],
    allowedServices: ["managed-memory"],
    limits: { "projects.list": { requestsPerMinute: 10 } },
  });
  expect(narrow.status).toBe(201);
});

test("names the ancestor that binds to a project and an end user, beside every other excess", async () => {
  const root = await api.createRootKey({ scopes: ["projects:read", "projects:write", "api_keys:manage"] });
  const made = await api.send("POST", "/v1/projects", { key: root.key, body: { name: "Bound" } });
  const project = made.body.project.id;
  const bound = await api.createChild(root.key, {
    scopes: ["projects:read", "api_keys:manage"],
    projectId: project,
    endUser: "ada",
  });
  const middle = await api.createChild(bound.key, { scopes: ["projects:read", "api_keys:manage"] });
  const answer = await create(middle.key, { scopes: ["files:read"], projectId: null, endUser: "bob" });
  const id = bound.apiKey.id;
  expect(answer.body.error).toMatchObject({ status: 403, keyId: root.apiKey.id });
  expect(answer.body.error.issues).toEqual([
    { path: "body.scopes.0", message: `The scope files:read exceeds key ${root.apiKey.id}.` },
    { path: "body.projectId", message: `null leaves project ${project}, which key ${id} is bound to.` },
    { path: "body.endUser", message: `It leaves the end user that key ${id} is bound to.` },
  ]);
});

test("allows eight levels of delegation and refuses a ninth", async () => {
  let parent = (await api.createRootKey()).key;
  for (let depth = 1; depth <= 8; depth++) {
    const child = await api.createChild(parent);
    expect(child.apiKey.depth).toBe(depth);
    parent = child.key;
  }
  expect((await api.send("GET", "/v1/projects", { key: parent })).status).toBe(200);
  const ninth = await create(parent, {});
  expect(ninth.body.error).toMatchObject({ status: 403, code: "delegation_exceeds_parent" });
});

test("revokes a key with its whole branch at once, and no sibling", async () => {
  const root = await api.createRootKey();
  const branch = await api.createChild(root.key);
  const leaf = await api.createChild(branch.key);
  const sibling = await api.createChild(root.key);
  const foreign = await api.send("DELETE", `/v1/api-keys/${branch.apiKey.id}`, { key: sibling.key });
  expect(foreign.status).toBe(404);
  const revoked = await api.send("DELETE", `/v1/api-keys/${branch.apiKey.id}`, { key: root.key });
  expect(revoked.status).toBe(200);
  expect(revoked.body).toMatchObject({
    apiKey: { id: branch.apiKey.id, status: "revoked" },
    revokedKeyIds: [branch.apiKey.id, leaf.apiKey.id],
  });
  expect((await api.send("GET", "/v1/projects", { key: branch.key })).body.error.code).toBe(
    "api_key_revoked",
  );
  expect((await api.send("GET", "/v1/projects", { key: leaf.key })).body.error.code).toBe("ancestor_revoked");
  expect((await api.send("GET", "/v1/projects", { key: sibling.key })).status).toBe(200);
  const again = await api.send("DELETE", `/v1/api-keys/${branch.apiKey.id}`, { key: root.key });
  expect(again.body.apiKey).toEqual(revoked.body.apiKey);
  const list = await api.send("GET", "/v1/api-keys", { key: root.key });
  const byId = Object.fromEntries(list.body.apiKeys.map((key: { id: string }) => [key.id, key]));
  expect(byId[leaf.apiKey.id]).toMatchObject({ status: "active", invalidBecause: "ancestor_revoked" });
  expect(byId[branch.apiKey.id]).toMatchObject({ status: "revoked", invalidBecause: null });
});

test("lists the calling key and its descendants only", async () => {
  const root = await api.createRootKey();
  const a = await api.createChild(root.key);
  const leaf = await api.createChild(a.key);
  await api.createChild(root.key);
  const list = await api.send("GET", "/v1/api-keys", { key: a.key });
  expect(list.body.apiKeys.map((key: { id: string }) => key.id)).toEqual([leaf.apiKey.id, a.apiKey.id]);
  const children = await api.send("GET", `/v1/api-keys?parentId=${a.apiKey.id}`, { key: root.key });
  expect(children.body.apiKeys.map((key: { id: string }) => key.id)).toEqual([leaf.apiKey.id]);
});

test("gives a child 30 days, fixed, never later than its parent", async () => {
  const expiresAt = new Date(Date.now() + 10 * DAY).toISOString();
  const root = await api.createRootKey({ expiresAt });
  const child = await api.createChild(root.key);
  expect(child.apiKey).toMatchObject({ expiresAt, expiryMode: "fixed" });
  const renewed = await api.createRootKey();
  const later = await api.createChild(renewed.key);
  const days = (Date.parse(later.apiKey.expiresAt) - Date.now()) / DAY;
  expect(days).toBeGreaterThan(29.99);
  expect(days).toBeLessThanOrEqual(30);
});

test("binds children to the project, the end user and the privacy tier of their parent", async () => {
  const root = await api.createRootKey();
  const project = (await api.send("POST", "/v1/projects", { key: root.key, body: { name: "P" } })).body
    .project;
  const bound = await api.createChild(root.key, {
    projectId: project.id,
    endUser: "ada",
    privacyTier: "private",
  });
  expect(bound.apiKey).toMatchObject({ projectId: project.id, endUser: "ada", privacyTier: "private" });
  const child = await api.createChild(bound.key);
  expect(child.apiKey).toMatchObject({ projectId: project.id, endUser: "ada", privacyTier: "private" });
  for (const body of [
    { projectId: null },
    { endUser: null },
    { endUser: "bob" },
    { privacyTier: "standard" },
  ]) {
    const answer = await create(bound.key, body);
    expect(answer.body.error).toMatchObject({ status: 403, code: "delegation_exceeds_parent" });
  }
  expect((await create(bound.key, { privacyTier: "strict" })).status).toBe(201);
  const other = await api.send("GET", "/v1/projects", {
    key: bound.key,
    headers: { "x-service-end-user": "bob" },
  });
  expect(other.body.error).toMatchObject({ status: 403, code: "end_user_not_allowed" });
});

test("selects a project by header: unknown is 404, archived 409, another than the bound one 403", async () => {
  const root = await api.createRootKey();
  const [one, two] = await Promise.all(
    ["One", "Two"].map(
      async (name) =>
        (await api.send("POST", "/v1/projects", { key: root.key, body: { name } })).body.project,
    ),
  );
  const foreign = (
    await api.send("POST", "/v1/projects", { key: (await api.createRootKey()).key, body: { name: "F" } })
  ).body.project;
  const select = (key: string, id: string) =>
    api.send("GET", "/v1/projects", { key, headers: { "x-service-project": id } });
  expect((await select(root.key, one.id)).body.projects).toEqual([one]);
  expect((await select(root.key, foreign.id)).body.error).toMatchObject({ status: 404, code: "not_found" });
  expect((await select(root.key, "nonsense")).body.error).toMatchObject({ status: 404, code: "not_found" });
  const bound = await api.createChild(root.key, { projectId: one.id });
  expect((await select(bound.key, two.id)).body.error).toMatchObject({
    status: 403,
    code: "project_not_allowed",
  });
  await api.send("DELETE", `/v1/projects/${one.id}`, { key: root.key });
  expect((await select(root.key, one.id)).body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect((await api.send("GET", "/v1/projects", { key: bound.key })).status).toBe(200);
  const write = await create(bound.key, {});
  expect(write.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("judges scope, then service, then operation, and names the highest key that refuses", async () => {
  const root = await api.createRootKey({ scopes: ["projects:read", "api_keys:manage"] });
  const child = await api.createChild(root.key, {
    scopes: ["projects:read"],
    allowedOperations: ["projects.read"],
  });
  const scope = await api.send("POST", "/v1/projects", { key: child.key, body: { name: "x" } });
  expect(scope.body.error).toMatchObject({
    status: 403,
    code: "scope_missing",
    check: "scope",
    keyId: root.apiKey.id,
  });
  const operation = await api.send("GET", "/v1/projects", { key: child.key });
  expect(operation.body.error).toMatchObject({
    status: 403,
    code: "operation_not_allowed",
    check: "operation",
    keyId: child.apiKey.id,
  });
});

test("refuses credentials that are not keys of this platform", async () => {
  const { key } = await api.createRootKey();
  for (const wrong of [
    "",
    "nonsense",
    `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`,
    key.replace("svc_live_", "svc_test_"),
  ]) {
    const answer = await api.send("GET", "/v1/projects", { headers: { authorization: `Bearer ${wrong}` } });
    expect(answer.body.error).toMatchObject({ status: 401, code: "unauthenticated" });
  }
});
