import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createCreditToken } from "./credit-tokens.ts";

const api = await startApi();
const DAY = 86_400_000;

function createFirst(creditToken: string, idempotencyKey: string, body: Record<string, unknown> = {}) {
  return api.send("POST", "/v1/api-keys", {
    headers: { "x-service-credit-token": creditToken },
    idempotencyKey,
    body: { label: "First", scopes: ["projects:read", "api_keys:manage"], ...body },
  });
}

async function setLastUse(keyId: string, at: string) {
  await api.platform.database
    .client`update api_keys set last_used_at = ${at} where prefix = (select prefix from api_keys where label = ${keyId})`;
}

test("makes the first key of an account with a credit token", async () => {
  const { creditToken } = await api.createAccount();
  const answer = await createFirst(creditToken, unique("first"));
  expect(answer.status).toBe(201);
  expect(answer.body.secret).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
  expect(answer.body.apiKey).toMatchObject({
    label: "First",
    scopes: ["projects:read", "api_keys:manage"],
    expiryMode: "renewed_by_use",
    status: "active",
    depth: 0,
    parentId: null,
    allowedServices: null,
    allowedOperations: null,
    privacyTier: "standard",
    limits: {},
  });
  expect(Date.parse(answer.body.apiKey.expiresAt)).toBe(Date.parse(answer.body.apiKey.lastUsedAt) + 30 * DAY);
  const list = await api.send("GET", "/v1/projects", { key: answer.body.secret });
  expect(list.status).toBe(200);
});

test("replays the creation byte for byte, including the secret, to a caller with the credit token", async () => {
  const { creditToken } = await api.createAccount();
  const key = unique("first");
  const first = await createFirst(creditToken, key);
  const again = await createFirst(creditToken, key);
  expect(again.status).toBe(201);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  const stored = await api.platform.database.client`select answer from credit_tokens`;
  expect(stored.map((row) => Buffer.from(row.answer ?? "").toString("latin1")).join()).not.toContain(
    first.body.secret,
  );
});

test("gives twenty parallel duplicates one key", async () => {
  const { creditToken } = await api.createAccount();
  const key = unique("first");
  const answers = await Promise.all(Array.from({ length: 20 }, () => createFirst(creditToken, key)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.body.secret)).size).toBe(1);
});

test("refuses a used credit token for any other request", async () => {
  const { creditToken } = await api.createAccount();
  const key = unique("first");
  await createFirst(creditToken, key);
  const otherInput = await createFirst(creditToken, key, { label: "Other" });
  expect(otherInput.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const otherKey = await createFirst(creditToken, unique("first"));
  expect(otherKey.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("does not use a credit token up with a refused creation", async () => {
  const { creditToken } = await api.createAccount();
  const refused = await createFirst(creditToken, unique("first"), { scopes: ["nothing:read"] });
  expect(refused.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [{ path: "body.scopes.0" }],
  });
  expect((await createFirst(creditToken, unique("first"))).status).toBe(201);
});

test("renews an expired key by a repeat of its creation, and its unexpired descendants with it", async () => {
  const { creditToken } = await api.createAccount();
  const key = unique("first");
  const label = unique("Renewed");
  const first = await createFirst(creditToken, key, { label });
  const child = await api.createChild(first.body.secret, { scopes: ["projects:read"] });
  await setLastUse(label, "2026-01-01T00:00:00Z");
  const expired = await api.send("GET", "/v1/projects", { key: first.body.secret });
  expect(expired.body.error).toMatchObject({
    status: 401,
    code: "api_key_expired",
    operationState: "not_started",
  });
  expect(expired.headers.get("www-authenticate")).toBe("Bearer");
  const below = await api.send("GET", "/v1/projects", { key: child.key });
  expect(below.body.error).toMatchObject({ status: 401, code: "ancestor_expired" });
  await createFirst(creditToken, key, { label });
  expect((await api.send("GET", "/v1/projects", { key: first.body.secret })).status).toBe(200);
  expect((await api.send("GET", "/v1/projects", { key: child.key })).status).toBe(200);
});

test("never renews a revoked key", async () => {
  const { creditToken } = await api.createAccount();
  const key = unique("first");
  const first = await createFirst(creditToken, key);
  await api.send("DELETE", `/v1/api-keys/${first.body.apiKey.id}`, { key: first.body.secret });
  const repeat = await createFirst(creditToken, key);
  expect(repeat.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const use = await api.send("GET", "/v1/projects", { key: first.body.secret });
  expect(use.body.error).toMatchObject({ status: 401, code: "api_key_revoked" });
});

test("moves the expiry with every request that authenticates, refused ones too", async () => {
  const { creditToken } = await api.createAccount();
  const label = unique("Moving");
  const first = await createFirst(creditToken, unique("first"), { label });
  await setLastUse(label, new Date(Date.now() - 20 * DAY).toISOString());
  expect((await api.send("GET", "/v1/usage", { key: first.body.secret })).status).toBeGreaterThanOrEqual(400);
  await setLastUse(label, new Date(Date.now() - 20 * DAY).toISOString());
  const refused = await api.send("POST", "/v1/projects", { key: first.body.secret, body: { name: "x" } });
  expect(refused.status).toBe(403);
  const [row] = await api.platform.database.client`select last_used_at from api_keys where label = ${label}`;
  expect(Date.now() - Date.parse(row?.last_used_at)).toBeLessThan(10_000);
  const list = await api.send("GET", "/v1/api-keys", { key: first.body.secret });
  const [self] = list.body.apiKeys;
  expect(Date.parse(self.expiresAt)).toBe(Date.parse(self.lastUsedAt) + 30 * DAY);
  expect(Date.now() - Date.parse(self.lastUsedAt)).toBeLessThan(10_000);
});

test("keeps a chosen expiry fixed, and says the most it may be", async () => {
  const { creditToken } = await api.createAccount();
  const expiresAt = new Date(Date.now() + 100 * DAY).toISOString();
  const risky = await createFirst(creditToken, unique("first"), { scopes: ["wallets:sign"], expiresAt });
  expect(risky.body.error.issues).toEqual([
    {
      path: "body.expiresAt",
      message: expect.stringContaining("a key with wallets:sign lives at most 90 days"),
    },
  ]);
  const far = await createFirst(creditToken, unique("first"), {
    expiresAt: new Date(Date.now() + 366 * DAY).toISOString(),
  });
  expect(far.body.error.issues[0].message).toContain("at most 365 days");
  const answer = await createFirst(creditToken, unique("first"), { expiresAt });
  expect(answer.body.apiKey).toMatchObject({ expiresAt, expiryMode: "fixed" });
  const used = await api.send("GET", "/v1/api-keys", { key: answer.body.secret });
  expect(used.body.apiKeys[0].expiresAt).toBe(expiresAt);
});

test("counts a credit token as nothing anywhere else, and refuses it beside a bearer key", async () => {
  const { creditToken } = await api.createAccount();
  const elsewhere = await api.send("GET", "/v1/projects", {
    headers: { "x-service-credit-token": creditToken },
  });
  expect(elsewhere.body.error).toMatchObject({ status: 401, code: "unauthenticated" });
  const { key } = await api.createRootKey();
  const both = await api.send("POST", "/v1/api-keys", {
    key,
    headers: { "x-service-credit-token": creditToken },
    body: { label: "x", scopes: [] },
  });
  expect(both.body.error).toMatchObject({ status: 400, code: "invalid_request" });
  const wrong = await createFirst("svc_credit_wrong", unique("first"));
  expect(wrong.body.error).toMatchObject({ status: 401, code: "credit_token_invalid" });
});

test("binds the first key to the project and the end user that its headers select, and refuses others' projects", async () => {
  const { accountId, key } = await api.createRootKey();
  const creditToken = await api.platform.database.db.transaction((tx) => createCreditToken(tx, accountId));
  const made = await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } });
  const project = made.body.project.id;
  const foreign = await api.send("POST", "/v1/projects", {
    key: (await api.createRootKey()).key,
    body: { name: "Foreign" },
  });
  const idempotencyKey = unique("first");
  const select = (headers: Record<string, string>, body = {}) =>
    api.send("POST", "/v1/api-keys", {
      headers: { "x-service-credit-token": creditToken, ...headers },
      idempotencyKey,
      body: { label: "Bound", scopes: ["projects:read"], ...body },
    });
  for (const id of [foreign.body.project.id, "nonsense"]) {
    const refused = await select({ "x-service-project": id });
    expect(refused.body.error).toMatchObject({ status: 404, message: `No project ${id}.` });
  }
  const elsewhere = await select({ "x-service-project": project }, { projectId: null });
  expect(elsewhere.body.error.issues).toEqual([
    { path: "body.projectId", message: `null leaves project ${project}, which the call selects.` },
  ]);
  const headers = { "x-service-project": project, "x-service-end-user": "ada" };
  const bound = await select(headers);
  expect(bound.body.apiKey).toMatchObject({ projectId: project, endUser: "ada" });
  await api.send("DELETE", `/v1/projects/${project}`, { key });
  const again = await select(headers);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body).toEqual(bound.body);
});
