import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { connectApp, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startApi();
const current = (key: string, headers = {}) => api.send("GET", "/v1/api-keys/current", { key, headers });

test("shows a key its own policy and account", async () => {
  const root = await api.createRootKey();
  const child = await api.createChild(root.key, { label: "Night jobs", scopes: ["projects:read"] });
  const answer = await current(child.key);
  expect(answer.body).toEqual({
    ok: true,
    apiKey: child.apiKey,
    account: { id: root.accountId, name: expect.any(String) },
  });
});

test("serves every valid key, whatever its policy, and no other", async () => {
  const { key } = await api.createRootKey();
  for (const policy of [
    { scopes: [] },
    { allowedServices: [] },
    { allowedOperations: [] },
    { excludedOperations: ["apiKeys.current"] },
    { allowedOperations: ["projects.list"], scopes: ["projects:read"] },
  ])
    expect((await current((await api.createChild(key, policy)).key)).status, JSON.stringify(policy)).toBe(
      200,
    );
  const { key: dead, apiKey } = await api.createChild(key);
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key });
  expect((await current(dead)).body.error.code).toBe("api_key_revoked");
  expect((await current("svc_live_wrong")).body.error.code).toBe("unauthenticated");
  expect((await api.send("GET", "/v1/api-keys/current")).status).toBe(401);
});

test("counts against the limits of the key", async () => {
  const { key } = await api.createRootKey();
  for (const selector of ["*", "apiKeys.current"]) {
    const limited = await api.createChild(key, { limits: { [selector]: { requestsPerMinute: 1 } } });
    expect((await current(limited.key)).status).toBe(200);
    const refused = await current(limited.key);
    expect([refused.status, refused.headers.get("x-service-limit-operation")]).toEqual([
      429,
      "apiKeys.current",
    ]);
  }
});

test("is listed as allowed without a scope, and can be called as a tool", async () => {
  const { key } = await api.createRootKey({ scopes: ["services:read"] });
  const { body } = await api.send("GET", "/v1/actions?limit=100&serviceId=platform-api", { key });
  const action = body.actions.find(({ operation }: { operation: string }) => operation === "apiKeys.current");
  expect(action).toMatchObject({ scope: null, allowed: true, deniedBy: null });
  const { call } = await connectMcp(api.origin, key);
  const answer = await call("execute_read", { operation: "apiKeys.current", input: {} });
  expect(answer.isError).toBe(false);
});

test("tells an app which person's access it uses", async () => {
  const open = await startOAuthApi();
  const person = await signUpAndIn(open);
  const app = await connectApp(open, { resource: "/v1" });
  const { access_token } = await app.redeem(await app.allow(person));
  const answer = await open.send("GET", "/v1/api-keys/current", { key: access_token });
  expect(answer.body).toMatchObject({
    apiKey: { label: "Notes (Ada)", app: { id: app.client.client_id, name: "Notes" } },
    account: { id: person.accountId },
  });
});
