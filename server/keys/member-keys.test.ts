import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { type caller, signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
const DAY = 86_400_000;

type Console = ReturnType<typeof caller>;

async function rootKey(
  member: Console,
  body: Record<string, unknown> = {},
): Promise<{ apiKey: { id: string; expiresAt: string }; secret: string }> {
  const made = await member.mutate("apiKeys.create", { label: "Root", scopes: ["projects:read"], ...body });
  expect(made.status).toBe(200);
  return made.data;
}

async function childKey(
  member: Console,
  parentId: string,
  body: Record<string, unknown> = {},
): Promise<{ apiKey: Record<string, unknown> & { id: string }; secret: string }> {
  const made = await member.mutate("apiKeys.delegate", {
    parentId,
    label: "Child",
    scopes: ["projects:read"],
    ...body,
  });
  expect(made.status).toBe(200);
  return made.data;
}

test("lets a member make a key below one that they administer, as that key could itself", async () => {
  const member = await signUpAndIn(api);
  const project = (await member.mutate("projects.create", { name: "Shop" })).data.project;
  const root = await rootKey(member, { projectId: project.id, endUser: "ada", privacyTier: "private" });
  const child = await childKey(member, root.apiKey.id);
  expect(child.apiKey).toMatchObject({
    parentId: root.apiKey.id,
    depth: 1,
    projectId: project.id,
    endUser: "ada",
    privacyTier: "private",
    expiresAt: root.apiKey.expiresAt,
  });
  expect((await api.send("GET", "/v1/projects", { key: child.secret })).status).toBe(200);
  await member.mutate("apiKeys.revoke", { id: root.apiKey.id });
  const refused = await api.send("GET", "/v1/projects", { key: child.secret });
  expect(refused.body.error.code).toBe("ancestor_revoked");
});

test("lets no delegated key be wider than its parent, nor than the member's role", async () => {
  const owner = await signUpAndIn(api);
  const root = await rootKey(owner, { scopes: ["projects:read", "wallets:sign"], endUser: "ada" });
  const wide = await owner.mutate("apiKeys.delegate", {
    parentId: root.apiKey.id,
    label: "Wide",
    scopes: ["projects:write"],
    expiresAt: new Date(Date.now() + 60 * DAY).toISOString(),
  });
  expect(wide.status).toBe(403);
  expect(wide.error).toMatchObject({
    code: "delegation_exceeds_parent",
    issues: [
      {
        path: "body.scopes.0",
        message: `The scope projects:write exceeds key ${root.apiKey.id}.`,
      },
      { path: "body.expiresAt" },
    ],
  });
  const elsewhere = { parentId: root.apiKey.id, label: "Elsewhere", scopes: [], endUser: "grace" };
  const rebound = await owner.mutate("apiKeys.delegate", elsewhere);
  expect(rebound.error.issues).toEqual([
    { path: "body.endUser", message: `It leaves the end user that key ${root.apiKey.id} is bound to.` },
  ]);
  const developer = await signInMember(api, owner.accountId, "developer");
  const beyond = await developer.mutate("apiKeys.delegate", {
    parentId: root.apiKey.id,
    label: "Signer",
    scopes: ["wallets:sign"],
  });
  expect(beyond.status).toBe(403);
  expect(beyond.error.issues).toEqual([
    { path: "body.scopes.0", message: "The role developer lacks wallets:sign." },
  ]);
});

test("refuses a key below one that is revoked, missing or another account's", async () => {
  const member = await signUpAndIn(api);
  const root = await rootKey(member);
  const child = await childKey(member, root.apiKey.id);
  await member.mutate("apiKeys.revoke", { id: root.apiKey.id });
  const body = { label: "Late", scopes: [] };
  const late = await member.mutate("apiKeys.delegate", { parentId: child.apiKey.id, ...body });
  expect(late.status).toBe(409);
  expect(late.error.message).toBe(`Key ${root.apiKey.id} is revoked; nothing works below it.`);
  const stranger = await signUpAndIn(api);
  const foreign = await stranger.mutate("apiKeys.delegate", { parentId: child.apiKey.id, ...body });
  expect(foreign.error).toMatchObject({ status: 404, message: `No API key ${child.apiKey.id}.` });
  expect((await stranger.query("apiKeys.read", { id: child.apiKey.id })).error.status).toBe(404);
  expect((await stranger.query("apiKeys.access.read", { keyId: child.apiKey.id })).error.status).toBe(404);
});

test("does not serve members' operations on keys to API keys", async () => {
  const { key, apiKey } = await api.createRootKey();
  for (const [method, path] of [
    ["GET", "/v1/api-keys/children"],
    ["POST", `/v1/api-keys/${apiKey.id}/children`],
    ["POST", `/v1/api-keys/${apiKey.id}/access/explain`],
  ] as const) {
    const answer = await api.send(method, path, { key });
    expect(["not_found", "method_not_allowed"]).toContain(answer.body.error.code);
  }
});

test("shows the tree level by level, and which keys a revocation ends", async () => {
  const member = await signUpAndIn(api);
  const root = await rootKey(member, { label: "Root" });
  const left = await childKey(member, root.apiKey.id, { label: "Left" });
  const right = await childKey(member, root.apiKey.id, { label: "Right" });
  const leaf = await childKey(member, left.apiKey.id, { label: "Leaf" });
  await childKey(member, right.apiKey.id, { label: "Lost" });
  await member.mutate("apiKeys.revoke", { id: right.apiKey.id });

  const roots = await member.query("apiKeys.children.list");
  expect(roots.data).toMatchObject({ apiKeys: [{ id: root.apiKey.id, children: 2 }], nextCursor: null });
  const level = { parentId: root.apiKey.id, limit: 1 };
  const first = await member.query("apiKeys.children.list", { ...level, total: "include" });
  expect(first.data.apiKeys).toMatchObject([{ label: "Right", status: "revoked", children: 1 }]);
  expect(first.data.total).toEqual({ count: 2, more: false });
  const second = await member.query("apiKeys.children.list", {
    ...level,
    cursor: first.data.nextCursor,
  });
  expect(second.data).toMatchObject({ apiKeys: [{ label: "Left", children: 1 }], nextCursor: null });
  expect(second.data).not.toHaveProperty("total");

  const read = await member.query("apiKeys.read", { id: root.apiKey.id });
  expect(read.data).toMatchObject({
    apiKey: { id: root.apiKey.id },
    ancestors: [],
    createdBy: { name: "Ada" },
    branch: {
      live: 2,
      keys: [
        { id: left.apiKey.id, label: "Left", depth: 1 },
        { id: leaf.apiKey.id, label: "Leaf", depth: 2 },
      ],
    },
  });
  const below = await member.query("apiKeys.read", { id: leaf.apiKey.id });
  expect(below.data.ancestors.map((key: { label: string }) => key.label)).toEqual(["Root", "Left"]);
  expect(below.data.branch).toEqual({ live: 0, keys: [] });
});

test("names the key of the chain that decides each scope, service, operation and limit", async () => {
  const member = await signUpAndIn(api);
  const root = await rootKey(member, {
    scopes: ["projects:read", "wallets:read", "usage:read"],
    allowedServices: ["managed-memory"],
    limits: { "*": { requestsPerMinute: 60 }, "projects.list": { maxConcurrent: 4 } },
  });
  const child = await childKey(member, root.apiKey.id, {
    scopes: ["projects:read", "usage:read"],
    allowedOperations: ["projects.list"],
    limits: { "*": { requestsPerMinute: 30 } },
  });
  const { access } = (await member.query("apiKeys.access.read", { keyId: child.apiKey.id })).data;
  const scopes = Object.fromEntries(access.scopes.map((row: { scope: string }) => [row.scope, row]));
  expect(scopes["projects:read"]).toEqual({
    scope: "projects:read",
    allows: "List and read projects.",
    longestDays: 365,
    allowed: true,
    deniedBy: null,
  });
  expect(scopes["wallets:sign"]).toMatchObject({ longestDays: 90 });
  expect(scopes["wallets:read"]).toMatchObject({ allowed: false, deniedBy: child.apiKey.id });
  expect(scopes["files:read"]).toMatchObject({ allowed: false, deniedBy: root.apiKey.id });
  expect(access.services).toContainEqual({
    id: "managed-wallets",
    name: "Managed wallets",
    allowed: false,
    deniedBy: root.apiKey.id,
  });
  const operations = Object.fromEntries(
    access.operations.map((row: { selector: string; denied: unknown }) => [row.selector, row.denied]),
  );
  expect(operations["projects.list"]).toBeNull();
  expect(operations["projects.read"]).toEqual({ check: "operation", keyId: child.apiKey.id });
  expect(operations["projects.create"]).toEqual({ check: "scope", keyId: root.apiKey.id });
  expect(access.limits).toEqual([
    { selector: "*", kind: "requestsPerMinute", value: 30, keyId: child.apiKey.id },
    { selector: "projects.list", kind: "maxConcurrent", value: 4, keyId: root.apiKey.id },
  ]);
  expect(access.expiry).toEqual({ at: root.apiKey.expiresAt, keyId: root.apiKey.id });
});

test("offers a member's role's scopes for a root key", async () => {
  const owner = await signUpAndIn(api);
  const developer = await signInMember(api, owner.accountId, "developer");
  const { access } = (await developer.query("apiKeys.access.read")).data;
  const denied = access.scopes.filter((row: { allowed: boolean }) => !row.allowed);
  expect(denied.map((row: { scope: string }) => row.scope)).toEqual([
    "wallets:sign",
    "wallets:transact",
    "trading:execute",
    "approvals:write",
  ]);
  expect(access).toMatchObject({ limits: [], expiry: null });
  expect(access.selectors).toContainEqual({ selector: "*", metered: true });
  expect(access.selectors).toContainEqual({ selector: "projects.list", metered: false });
});

test("lists the keys of a project, and those that expire soon", async () => {
  const member = await signUpAndIn(api);
  const project = (await member.mutate("projects.create", { name: "Shop" })).data.project;
  const inProject = await rootKey(member, { label: "Bound", projectId: project.id });
  const soon = new Date(Date.now() + 2 * DAY).toISOString();
  const expiring = await rootKey(member, { label: "Short", expiresAt: soon });
  const bound = await member.query("apiKeys.list", { projectId: project.id });
  expect(bound.data.apiKeys).toMatchObject([{ id: inProject.apiKey.id }]);
  const expiresBefore = new Date(Date.now() + 7 * DAY).toISOString();
  const near = await member.query("apiKeys.list", { status: "active", expiresBefore });
  expect(near.data.apiKeys).toMatchObject([{ id: expiring.apiKey.id }]);
});
