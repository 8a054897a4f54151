import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { postForm, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi();
const register = (body: Record<string, unknown>) => api.send("POST", "/oauth/register", { body });

test("registers apps as well-known ones ask, and cleans their names", async () => {
  const cursor = await register({
    client_name: "Cursor\u202e\u0000 evil",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/cb",
      "http://localhost:8787/cb",
    ],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token", "something"],
    logo_uri: "http://169.254.169.254/",
  });
  expect(cursor.status).toBe(201);
  expect(cursor.body).toMatchObject({
    client_id: expect.stringMatching(/^app_[0-9a-z]{26}$/),
    client_name: "Cursor evil",
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  });
  expect(cursor.body).not.toHaveProperty("client_secret");
  expect(cursor.body).not.toHaveProperty("logo_uri");
});

test("issues a secret to an app that does not decline one, and accepts no other", async () => {
  const { body } = await register({ redirect_uris: ["https://app.example/cb"] });
  expect(body).toMatchObject({
    token_endpoint_auth_method: "client_secret_basic",
    client_secret_expires_at: 0,
  });
  expect(body.client_secret).toMatch(/^svc_ocs_[0-9A-Za-z]{49}$/);
  const form = { grant_type: "refresh_token", refresh_token: "unknown" };
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${body.client_id}:${secret}`).toString("base64")}`,
  });
  expect((await postForm(api, "/oauth/token", form, basic(body.client_secret))).body.error).toBe(
    "invalid_grant",
  );
  expect((await postForm(api, "/oauth/token", form, basic("wrong"))).body.error).toBe("invalid_client");
  const public_ = await postForm(api, "/oauth/token", { ...form, client_id: body.client_id });
  expect([public_.status, public_.body.error]).toEqual([401, "invalid_client"]);
});

test("refuses addresses by which a code would go astray", async () => {
  for (const uri of [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://app.example/cb",
    "https://app.example/cb#x",
    "https://user@app.example/cb",
    "https://*.app.example/cb",
    "about:blank",
    "ws://127.0.0.1/",
    "myapp:/cb",
    "not an address",
  ]) {
    const { status, body } = await register({ redirect_uris: ["https://app.example/cb", uri] });
    expect([uri, status, body.error]).toEqual([uri, 400, "invalid_redirect_uri"]);
  }
  expect((await register({ redirect_uris: [] })).body.error).toBe("invalid_redirect_uri");
  const method = { redirect_uris: ["https://a.example/"], token_endpoint_auth_method: "private_key_jwt" };
  expect((await register(method)).body.error).toBe("invalid_client_metadata");
});

test("bounds how many an address may register", async () => {
  const answers = [];
  for (let nth = 0; nth < 25; nth++) answers.push(await register({ redirect_uris: ["https://a.example/"] }));
  const last = answers.at(-1);
  expect([last?.status, last?.body.error]).toEqual([429, "temporarily_unavailable"]);
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("has none of it where the operator closed registration, or the platform is not reached safely", async () => {
  const closed = await startOAuthApi({ oauth: { registration: false, documents: true } });
  const metadata = await closed.send("GET", "/.well-known/oauth-authorization-server");
  expect(metadata.body).not.toHaveProperty("registration_endpoint");
  expect((await closed.send("POST", "/oauth/register", { body: {} })).status).toBe(404);
  const plain = await startApi();
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"])
    expect((await plain.send("GET", path)).status).toBe(404);
  expect((await plain.send("GET", "/v1/projects")).headers.get("www-authenticate")).toBe("Bearer");
});
