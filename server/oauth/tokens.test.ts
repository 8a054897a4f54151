import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { unique } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { CALLBACK, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);

test("accepts a token for its own resource only, and only in its header", async () => {
  const mcp = await connectApp(api);
  const { access_token } = await mcp.redeem(await mcp.allow(person));
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(401);
  const { call } = await connectMcp(api.origin, access_token);
  expect((await call("projects_list")).isError).toBe(false);
  const inUrl = await api.send("GET", `/v1/projects?token=${access_token}`);
  expect(inUrl.body.error.code).toBe("credential_in_url");
  const whole = await connectApp(api, { resource: "" });
  const tokens = await whole.redeem(await whole.allow(person));
  expect((await api.send("GET", "/v1/projects", { key: tokens.access_token })).status).toBe(200);
  const both = await connectMcp(api.origin, tokens.access_token);
  expect((await both.call("projects_list")).isError).toBe(false);
});

test("accepts a code once, with everything that it is bound to, and revokes its tokens if it is used again", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const other = await connectApp(api);
  const right = async () => ({
    grant_type: "authorization_code",
    code: defined((await app.allow(person)).searchParams.get("code")),
    client_id: app.client.client_id,
    redirect_uri: CALLBACK,
    code_verifier: app.verifier,
  });
  for (const [changed, error] of [
    [{ client_id: other.client.client_id }, "invalid_grant"],
    [{ redirect_uri: "http://127.0.0.1:1/callback" }, "invalid_grant"],
    [{ code_verifier: other.verifier }, "invalid_grant"],
    [{ resource: `${api.origin}/mcp` }, "invalid_target"],
  ] as const) {
    const form = await right();
    expect((await postForm(api, "/oauth/token", { ...form, ...changed })).body.error).toBe(error);
    expect((await postForm(api, "/oauth/token", form)).body.error).toBe("invalid_grant");
  }
  const form = await right();
  const both = await Promise.all([postForm(api, "/oauth/token", form), postForm(api, "/oauth/token", form)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const { access_token, refresh_token } = both.find(({ status }) => status === 200)?.body ?? {};
  expect((await api.send("GET", "/v1/projects", { key: access_token })).body.error.code).toBe(
    "api_key_revoked",
  );
  const refreshed = await postForm(api, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token,
    client_id: app.client.client_id,
  });
  expect(refreshed.body.error).toBe("invalid_grant");
});

test("gives new tokens of the same key, and ends the access when an old refresh token comes again", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const first = await app.redeem(await app.allow(person, { scopes: ["projects:read", "projects:write"] }));
  const body = { name: unique("Shop") };
  const idempotencyKey = unique("across-a-refresh");
  const made = await api.send("POST", "/v1/projects", { key: first.access_token, body, idempotencyKey });
  expect(made.status).toBe(201);
  const second = await app.refresh(defined(first.refresh_token));
  expect(second.scope).toBe(first.scope);
  const again = await api.send("POST", "/v1/projects", { key: second.access_token, body, idempotencyKey });
  expect(again.body).toEqual(made.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  // The first response was lost, or another window has refreshed too.
  const third = await app.refresh(defined(first.refresh_token));
  const fourth = await app.refresh(defined(third.refresh_token));
  await expect(app.refresh(defined(first.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
  expect((await api.send("GET", "/v1/projects", { key: fourth.access_token })).body.error.code).toBe(
    "api_key_revoked",
  );
  await expect
    .poll(async () => {
      const { data } = await person.query("auditEvents.list", { operation: "apps.reuse_detected" });
      return data.auditEvents.length;
    })
    .toBeGreaterThan(0);
});

test("tells an app that repeats a call after a refresh that the response's secret was shown once", async () => {
  const app = await connectApp(api, { scope: "webhooks:write", resource: "/v1" });
  const first = await app.redeem(await app.allow(person, { scopes: ["webhooks:write"] }));
  const body = { url: "https://example.com/hook", events: ["project.*"] };
  const idempotencyKey = unique("secret");
  const create = (key: string) => api.send("POST", "/v1/webhooks", { key, body, idempotencyKey });
  const made = await create(first.access_token);
  expect(made.body.secret).toMatch(/^whsec_/);
  expect((await create(first.access_token)).body).toEqual(made.body);
  const { access_token } = await app.refresh(defined(first.refresh_token));
  const again = await create(access_token);
  expect([again.status, again.body.error.code]).toEqual([409, "state_conflict"]);
  expect(again.body.error.message).toContain("shown once");
});

test("gives two refreshes at once a pair each", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const { refresh_token } = await app.redeem(await app.allow(person));
  const both = await Promise.all([app.refresh(defined(refresh_token)), app.refresh(defined(refresh_token))]);
  for (const { access_token, refresh_token } of both) {
    expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
    await expect(app.refresh(defined(refresh_token))).resolves.toBeDefined();
  }
});

test("ends one token, or with the refresh token all access; never another app's", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const other = await connectApp(api);
  const tokens = await app.redeem(await app.allow(person));
  const refreshToken = defined(tokens.refresh_token);
  await expect(other.revoke(refreshToken)).rejects.toMatchObject({ error: "invalid_grant" });
  await app.revoke("unknown");
  await app.revoke(tokens.access_token);
  const read = async (key: string) => (await api.send("GET", "/v1/projects", { key })).body.error?.code;
  expect(await read(tokens.access_token)).toBe("unauthenticated");
  const next = await app.refresh(refreshToken);
  expect(await read(next.access_token)).toBeUndefined();
  await app.revoke(defined(next.refresh_token));
  expect(await read(next.access_token)).toBe("api_key_revoked");
});

test("names the missing scope to an app, and does not widen its access with a refresh", async () => {
  const app = await connectApp(api, { scope: "projects:read files:read", resource: "/v1" });
  const tokens = await app.redeem(await app.allow(person));
  const refreshToken = defined(tokens.refresh_token);
  const create = (key: string) => api.send("POST", "/v1/projects", { key, body: { name: unique("Shop") } });
  const declined = await api.send("GET", "/v1/files", { key: tokens.access_token });
  expect([declined.status, declined.body.error.code]).toEqual([403, "scope_missing"]);
  const { access_token, refresh_token } = await app.refresh(refreshToken);
  const refused = await create(access_token);
  expect([refused.status, refused.body.error.code]).toEqual([403, "scope_missing"]);
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer error="insufficient_scope", error_description="projects.create needs projects:write.", scope="services:read projects:read projects:write", resource_metadata="${api.origin}/.well-known/oauth-protected-resource/v1"`,
  );
  await expect(app.refresh(defined(refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
  const { key } = await api.createRootKey({ scopes: ["services:read"] });
  expect((await create(key)).headers.get("www-authenticate")).toBeNull();
});
