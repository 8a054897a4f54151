import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { CALLBACK, CHOICE, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);

test("describes itself and its resources to strict clients", async () => {
  for (const path of ["/mcp", "/v1", ""]) {
    const resource = new URL(api.origin + path);
    const answer = await fetch(`${api.origin}/.well-known/oauth-protected-resource${path}`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toMatchObject({
      resource: resource.href.replace(/\/$/, ""),
      authorization_servers: [api.origin],
    });
  }
  const found = await oauth.resourceDiscoveryRequest(new URL(`${api.origin}/mcp`), {
    [oauth.allowInsecureRequests]: true,
  });
  const resource = await oauth.processResourceDiscoveryResponse(new URL(`${api.origin}/mcp`), found);
  expect(resource.scopes_supported).toContain("services:read");
  const { server } = await connectApp(api);
  expect(server).toMatchObject({
    issuer: api.origin,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
  expect(server.scopes_supported).not.toContain("api_keys:manage");
  expect(server.scopes_supported).not.toContain("approvals:write");
});

test("says with a 401 where to sign in for the called API", async () => {
  const none = await api.send("GET", "/v1/projects");
  expect(none.headers.get("www-authenticate")).toBe(
    `Bearer resource_metadata="${api.origin}/.well-known/oauth-protected-resource/v1", scope="services:read projects:read runs:read files:read artifacts:read usage:read credits:read"`,
  );
  const wrong = await api.send("POST", "/mcp", { key: "wrong", body: {} });
  expect(wrong.headers.get("www-authenticate")).toContain('Bearer error="invalid_token"');
  expect(wrong.headers.get("www-authenticate")).toContain("/oauth-protected-resource/mcp");
  expect(wrong.body.error.code).toBe("unauthenticated");
});

test("gives an app the access that a person allows, as a key of theirs", async () => {
  const app = await connectApp(api, { scope: "projects:read files:read", resource: "/v1" });
  const request = (await app.ask()).searchParams.get("request");
  const { data } = await person.query("apps.requests.read", { requestId: request });
  expect(data.request).toMatchObject({
    app: { name: "Notes", host: null, verified: false },
    status: "open",
    returnsTo: { kind: "computer", address: "127.0.0.1" },
    last: null,
  });
  const tokens = await app.redeem(await app.allow(person));
  expect(tokens).toMatchObject({
    token_type: "bearer",
    expires_in: 3600,
    scope: "services:read projects:read",
  });
  expect(tokens.access_token).toMatch(/^svc_oat_[0-9A-Za-z]{49}$/);
  expect(tokens.refresh_token).toMatch(/^svc_ort_[0-9A-Za-z]{49}$/);
  expect(await api.send("GET", "/v1/projects", { key: tokens.access_token })).toMatchObject({ status: 200 });
  expect(await api.send("GET", "/v1/files", { key: tokens.access_token })).toMatchObject({
    status: 403,
    body: { error: { code: "scope_missing" } },
  });
  const keys = await person.query("apiKeys.list", {});
  expect(keys.data.apiKeys[0]).toMatchObject({
    label: "Notes (Ada)",
    prefix: "svc_oat_",
    scopes: ["services:read", "projects:read"],
    limits: { "*": { creditsPerDay: 1000, requestsPerMinute: 600 } },
    app: { id: app.client.client_id, name: "Notes", host: null, verified: false },
  });
});

test("offers a person's last choice for an app again, and marks the scopes that are new", async () => {
  const app = await connectApp(api, {
    scope: "projects:read files:read services:invoke",
    resource: "/v1",
  });
  const offered = async () => {
    const requestId = (await app.ask()).searchParams.get("request");
    return (await person.query("apps.requests.read", { requestId })).data.request;
  };
  expect((await offered()).last).toBeNull();
  const project = (await person.mutate("projects.create", { name: "Chosen" })).data.project.id;
  const choices = [
    { projectId: project, allowedServices: ["managed-memory"], requestsPerMinute: null, days: 7 },
    { projectId: null, allowedServices: null, requestsPerMinute: 60, days: 365 },
  ];
  const tokens: string[] = [];
  for (const choice of choices) {
    tokens.push((await app.redeem(await app.allow(person, { ...choice, creditsPerDay: 5 }))).access_token);
    expect((await offered()).last).toEqual({ ...choice, creditsPerDay: 5 });
  }
  await app.redeem(await app.allow(person, { creditsPerDay: null, days: 1 }));
  const { last, scopes } = await offered();
  expect(last).toMatchObject({ creditsPerDay: 1000, requestsPerMinute: 600, days: 1 });
  const files = scopes.find(({ scope }: { scope: string }) => scope === "files:read");
  expect(files).toMatchObject({ chosen: true, isNew: true });
  // All installations of an app share its id, so that no consent ends an earlier one's access.
  for (const key of tokens) expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
});

test("sends the browser only to addresses of the app", async () => {
  const app = await connectApp(api);
  for (const redirect_uri of [
    "https://evil.example/callback",
    "http://127.0.0.1/callback/more",
    "http://127.0.0.1/callback?x=1",
    "http://localhost/callback",
    null,
  ]) {
    const answer = await fetch(await app.addressToAsk({ redirect_uri }), { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
  const port = await app.ask({ redirect_uri: "http://127.0.0.1:51234/callback" });
  expect(port.pathname).toBe("/oauth/consent");
  const unknown = await fetch(await app.addressToAsk({ client_id: "app_01jz4w1n9vf5ha3kqcx8y2r7te" }));
  expect(unknown.status).toBe(400);
});

test("returns an app's invalid request to the app, naming the issuer", async () => {
  const app = await connectApp(api);
  const faults: [Record<string, string | null>, string][] = [
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge: null }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ scope: "nothing:known" }, "invalid_scope"],
    [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    [{ prompt: "none" }, "interaction_required"],
  ];
  for (const [changed, error] of faults) {
    const back = await app.ask(changed);
    expect(back.href.split("?")[0]).toBe(CALLBACK);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: app.state, iss: api.origin });
  }
  const unstorable = await app.ask({ state: "a\0b" });
  expect(Object.fromEntries(unstorable.searchParams)).toMatchObject({
    error: "invalid_request",
    error_description: "state contains a NUL character. Send it without one.",
    state: "a\0b",
  });
  const twice = await fetch(`${await app.addressToAsk()}&scope=files:read`, { redirect: "manual" });
  expect(twice.headers.get("location")).toContain("error=invalid_request");
  expect((await app.ask({ scope: "offline_access" })).pathname).toBe("/oauth/consent");
});

test("reports the person's refusal to the app", async () => {
  const app = await connectApp(api);
  const requestId = (await app.ask()).searchParams.get("request");
  const refused = await person.mutate("apps.refuse", { requestId });
  const address = new URL(refused.data.redirectTo);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    error: "access_denied",
    state: app.state,
    iss: api.origin,
  });
  const late = await person.mutate("apps.allow", { requestId, ...CHOICE });
  expect(late.error.code).toBe("state_conflict");
});

test("answers an app that sends no state without one", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const stateless = { state: null };
  const allowed = await app.allow(person, {}, stateless);
  expect([...allowed.searchParams.keys()].sort()).toEqual(["code", "iss"]);
  const { access_token } = await app.redeem(allowed, { expectedState: oauth.expectNoState });
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
  const requestId = (await app.ask(stateless)).searchParams.get("request");
  const refused = await person.mutate("apps.refuse", { requestId });
  const faulty = await app.ask({ ...stateless, scope: "nothing:known" });
  for (const address of [new URL(refused.data.redirectTo), faulty])
    expect([...address.searchParams.keys()].sort()).toEqual(["error", "error_description", "iss"]);
});

test("takes a resource with and without a trailing slash, wherever it is sent", async () => {
  for (const path of ["/v1", ""]) {
    const app = await connectApp(api);
    const [bare, slashed] = [api.origin + path, `${api.origin.toUpperCase()}${path}/`];
    for (const [asked, sent] of [
      [bare, slashed],
      [slashed, bare],
    ] as const) {
      const tokens = await app.redeem(await app.allow(person, {}, { resource: asked }), { resource: sent });
      const next = await app.refresh(defined(tokens.refresh_token), { resource: sent });
      expect((await api.send("GET", "/v1/projects", { key: next.access_token })).status).toBe(200);
    }
    const other = await app.ask({ resource: `${bare}//` });
    expect(other.searchParams.get("error")).toBe("invalid_target");
  }
});

test("lets pages of any origin use its addresses, and says so before they do", async () => {
  for (const [path, method] of [
    ["/.well-known/oauth-protected-resource/mcp", "GET"],
    ["/.well-known/oauth-authorization-server", "GET"],
    ["/oauth/authorize", "GET"],
    ["/oauth/token", "POST"],
    ["/oauth/revoke", "POST"],
    ["/oauth/device", "POST"],
    ["/oauth/register", "POST"],
  ] as const) {
    const origin = "https://app.example";
    const asking = { origin, "access-control-request-method": method };
    const { status, headers } = await api.send("OPTIONS", path, { headers: asking });
    expect([path, status]).toEqual([path, 204]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": method,
      "access-control-allow-headers": "MCP-Protocol-Version, Content-Type, Authorization",
      "x-request-id": expect.stringMatching(/^req_/),
    });
    const answer = await fetch(api.origin + path, { method, headers: { origin } });
    expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
  }
});

test("accepts one of two concurrent decisions", async () => {
  const app = await connectApp(api);
  const requestId = (await app.ask()).searchParams.get("request");
  const both = await Promise.all([
    person.mutate("apps.allow", { requestId, ...CHOICE }),
    person.mutate("apps.refuse", { requestId }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("lets nobody grant scopes that they don't have or that no app may get", async () => {
  const viewer = await signInMember(api, person.accountId, "viewer");
  const app = await connectApp(api);
  const requestId = (await app.ask()).searchParams.get("request");
  const beyond = { requestId, ...CHOICE, scopes: ["projects:write"] };
  expect((await viewer.mutate("apps.allow", beyond)).error.code).toBe("delegation_exceeds_parent");
  for (const [changed, path] of [
    [{ scopes: ["api_keys:manage"] }, "body.scopes"],
    [{ scopes: ["approvals:write"], days: 90 }, "body.scopes"],
    [{ scopes: ["services:invoke"], creditsPerDay: null }, "body.creditsPerDay"],
    [{ scopes: ["wallets:sign"], days: 365 }, "body.days"],
    [{ allowedServices: ["no-such-service"] }, "body.allowedServices.0"],
  ] as const) {
    const refused = await person.mutate("apps.allow", { requestId, ...CHOICE, ...changed });
    expect([refused.error.code, refused.error.issues[0].path]).toEqual(["invalid_request", path]);
  }
});

test("makes nothing of a code for a member whose role has shrunk meanwhile", async () => {
  const developer = await signInMember(api, person.accountId, "developer");
  const app = await connectApp(api, { scope: "projects:write" });
  const address = await app.allow(developer, { scopes: ["projects:write"] });
  await person.mutate("members.update", { memberId: developer.memberId, role: "viewer" });
  await expect(app.redeem(address)).rejects.toMatchObject({ error: "invalid_grant" });
});

test("ends the access of an app with the membership of the person who allowed it", async () => {
  const developer = await signInMember(api, person.accountId, "developer");
  const app = await connectApp(api, { resource: "/v1" });
  const { access_token } = await app.redeem(await app.allow(developer));
  await person.mutate("members.delete", { memberId: developer.memberId });
  expect((await api.send("GET", "/v1/projects", { key: access_token })).body.error.code).toBe(
    "api_key_revoked",
  );
});

test("refuses forms that say something twice, and other types", async () => {
  const twice = await postForm(api, "/oauth/token", [
    ["grant_type", "refresh_token"],
    ["grant_type", "refresh_token"],
  ]);
  expect([twice.status, twice.body.error]).toEqual([400, "invalid_request"]);
  const json = await api.send("POST", "/oauth/token", { body: { grant_type: "refresh_token" } });
  expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
  const nobody = await postForm(api, "/oauth/token", { grant_type: "refresh_token", refresh_token: "x" });
  expect([nobody.status, nobody.body.error]).toEqual([401, "invalid_client"]);
  expect(nobody.headers.get("www-authenticate")).toBeNull();
  const basic = `Basic ${Buffer.from("app_x:y").toString("base64")}`;
  const wrong = await postForm(api, "/oauth/token", { grant_type: "x" }, { authorization: basic });
  expect(wrong.headers.get("www-authenticate")).toBe("Basic");
});
