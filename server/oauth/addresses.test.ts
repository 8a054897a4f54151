import { expect, test } from "vitest";
import { unique } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { CALLBACK, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);

test("offers no OpenID Connect", async () => {
  const { server } = await connectApp(api);
  expect(Object.keys(server).filter((name) => /userinfo|id_token|jwks|subject/.test(name))).toEqual([]);
  expect(server.scopes_supported?.filter((scope) => ["openid", "offline_access"].includes(scope))).toEqual(
    [],
  );
});

test("takes forms up to 64 KB and registrations up to 16 KB", async () => {
  const form = (bytes: number) => ({ grant_type: "refresh_token", refresh_token: "x".repeat(bytes) });
  const fits = await postForm(api, "/oauth/token", form(65_000));
  expect([fits.status, fits.body.error]).toEqual([401, "invalid_client"]);
  const large = await postForm(api, "/oauth/token", form(65_537));
  expect([large.status, large.body.error]).toEqual([413, "invalid_request"]);
  const app = (bytes: number) => ({
    redirect_uris: [CALLBACK],
    client_name: "Notes",
    more: "x".repeat(bytes),
  });
  expect((await api.send("POST", "/oauth/register", { body: app(16_000) })).status).toBe(201);
  const wide = await api.send("POST", "/oauth/register", { body: app(16_385) });
  expect([wide.status, wide.body.error]).toEqual([413, "invalid_request"]);
});

test("marks responses with tokens as not cacheable, and describes each error in plain ASCII", async () => {
  const app = await connectApp(api);
  const code = String((await app.allow(person)).searchParams.get("code"));
  const answer = await postForm(api, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: CALLBACK,
    code_verifier: app.verifier,
    client_id: app.client.client_id,
  });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const name = 'Ω"\\';
  const faults = [
    await postForm(api, "/oauth/token", { grant_type: name }),
    await postForm(api, "/oauth/token", [
      [name, "1"],
      [name, "2"],
    ]),
    await postForm(api, "/oauth/device", { client_id: name }),
    await api.send("POST", "/oauth/register", { body: { redirect_uris: [`https://${name}`] } }),
  ];
  for (const { status, headers, body } of faults) {
    expect([status < 500, headers.get("cache-control")]).toEqual([true, "no-store"]);
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(body.error_description).toMatch(/^[ !#-[\]-~]+$/);
  }
});

test("takes no token in an address or a body", async () => {
  const app = await connectApp(api, { scope: "projects:write", resource: "/v1" });
  const tokens = await app.redeem(await app.allow(person, { scopes: ["projects:read", "projects:write"] }));
  const key = tokens.access_token;
  for (const secret of [key, String(tokens.refresh_token)]) {
    const inAddress = await api.send("GET", `/v1/projects?search=${secret}`, { key });
    expect([inAddress.status, inAddress.body.error.code]).toEqual([400, "credential_in_url"]);
    const body = { name: unique("Shop"), description: `With ${secret}` };
    const inBody = await api.send("POST", "/v1/projects", { key, body, idempotencyKey: unique("token") });
    expect([inBody.status, inBody.body.error.code]).toEqual([400, "credential_in_body"]);
    const revoked = await fetch(`${api.origin}/oauth/revoke?token=${secret}`, { method: "POST" });
    expect([revoked.status, (await revoked.json()).error]).toEqual([400, "invalid_request"]);
  }
});

test("records the people who allowed, refused and ended an app's access, and the app's calls", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const refused = (await app.ask()).searchParams.get("request");
  await person.mutate("apps.refuse", { requestId: refused });
  const { access_token } = await app.redeem(await app.allow(person));
  await api.send("GET", "/v1/projects", { key: access_token });
  const { data } = await person.query("apps.list", {});
  await person.mutate("apps.revoke", { id: data.apps[0].id });
  const callers = async (operation: string) => {
    const { data } = await person.query("auditEvents.list", { operation });
    return data.auditEvents.map(({ actor }: { actor: { type: string; label: string } }) => [
      actor.type,
      actor.label,
    ]);
  };
  await expect.poll(() => callers("apps.refuse")).toContainEqual(["member", "Ada"]);
  await expect.poll(() => callers("apps.allow")).toContainEqual(["member", "Ada"]);
  await expect.poll(() => callers("projects.list")).toContainEqual(["key", "Notes (Ada)"]);
  await expect.poll(() => callers("apps.revoke")).toContainEqual(["member", "Ada"]);
});
