import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startClock } from "#server/testing/cpu.ts";
import { startHostile } from "#server/testing/hostile-peer.ts";
import { startHttpsPeer } from "#server/testing/https-peer.ts";
import { connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { readClientDocument } from "./client-documents.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);
const app = await connectApp(api, { resource: "/v1" });

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer };
type Served = Answer | "hang" | "hang in the body";

/** Starts a host that serves documents by path; `requests` has the requested paths. */
async function startHost() {
  const served = new Map<string, Served>();
  const requests: string[] = [];
  const origin = await startHttpsPeer((request, response) => {
    const path = defined(request.url);
    requests.push(path);
    const answer = served.get(path) ?? { status: 404 };
    if (answer === "hang") return;
    if (answer === "hang in the body") return void response.writeHead(200).write("{");
    const { status = 200, headers = {}, body = "" } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  /** Serves a valid document with these changes. */
  function publish(path: string, changed: Record<string, unknown> = {}, how: Served = {}): string {
    const client_id = origin + path;
    const document = {
      client_id,
      client_name: "Notes",
      redirect_uris: ["http://127.0.0.1/callback"],
      ...changed,
    };
    served.set(path, typeof how === "string" ? how : { body: JSON.stringify(document), ...how });
    return client_id;
  }
  return { origin, served, requests, publish };
}

async function ask(client_id: string, changed: Record<string, string> = {}) {
  return fetch(await app.addressToAsk({ client_id, ...changed }), { redirect: "manual" });
}

test("an app's document identifies it, vouched for by its host, without a secret", async () => {
  const { publish, requests, origin } = await startHost();
  const client_id = publish("/oauth/client.json?v=1", {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    jwks_uri: `${origin}/jwks`,
  });
  expect(app.server).toMatchObject({ client_id_metadata_document_supported: true });
  const asked = await app.ask({ client_id, redirect_uri: "http://127.0.0.1:51234/callback" });
  const requestId = asked.searchParams.get("request");
  const { data } = await person.query("apps.requests.read", { requestId });
  expect(data.request.app).toEqual({
    id: client_id,
    name: "Notes",
    host: new URL(origin).host,
    verified: true,
  });
  const allowed = await app.allow(person, {}, { client_id });
  const form = {
    grant_type: "authorization_code",
    code: defined(allowed.searchParams.get("code")),
    client_id,
    redirect_uri: "http://127.0.0.1/callback",
    code_verifier: app.verifier,
  };
  const tokens = await postForm(api, "/oauth/token", form);
  expect(tokens.status).toBe(200);
  const { access_token, refresh_token } = tokens.body;
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
  const refresh = { grant_type: "refresh_token", refresh_token, client_id };
  expect((await postForm(api, "/oauth/token", { ...refresh, client_secret: "x" })).body.error).toBe(
    "invalid_client",
  );
  expect((await postForm(api, "/oauth/token", refresh)).status).toBe(200);
  // Read once: at most every five minutes, and never by the token endpoint.
  expect(requests).toEqual(["/oauth/client.json?v=1"]);
});

test("believes no document that is another's, has a secret, or is not answered plainly", async () => {
  const { publish, origin } = await startHost();
  const faults: [string, Record<string, unknown>, Served?][] = [
    ["/other", { client_id: `${origin}/elsewhere` }],
    ["/secret", { client_secret: "hush" }],
    ["/jwt", { token_endpoint_auth_method: "private_key_jwt" }],
    ["/nameless", { client_name: undefined }],
    ["/nowhere", { redirect_uris: [] }],
    ["/moved", {}, { status: 302, headers: { location: `${origin}/right` } }],
    ["/created", {}, { status: 201 }],
    ["/large", { padding: "x".repeat(5 * 1024) }],
    ["/text", {}, { body: "no JSON" }],
    ["/list", {}, { body: "[]" }],
    ["/latin", {}, { body: Buffer.from('{"client_name":"\xe9"}', "latin1") }],
  ];
  publish("/right");
  for (const [path, changed, how] of faults) {
    const answer = await ask(publish(path, changed, how));
    expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 400, null]);
  }
  expect((await ask(`${origin}/right`)).status).toBe(303);
  const elsewhere = await ask(`${origin}/right`, { redirect_uri: "https://evil.example/callback" });
  expect(elsewhere.status).toBe(400);
});

test("an invalid address in a document harms none of its others", async () => {
  const { publish } = await startHost();
  for (const faulty of ["no address", "http://127.0.0.1/\0"]) {
    const redirect_uris = [faulty, "http://127.0.0.1/callback"];
    const client_id = publish(`/mixed/${encodeURIComponent(faulty)}`, { redirect_uris });
    const asked = await app.ask({ client_id, redirect_uri: "http://127.0.0.1:51234/callback" });
    expect(asked.pathname).toBe("/oauth/consent");
    expect((await ask(client_id, { redirect_uri: faulty })).status).toBe(400);
  }
});

test("gives up a host that hangs after five seconds, and serves its last good copy", async () => {
  const { publish, served, requests, origin } = await startHost();
  const known = publish("/known");
  expect((await ask(known)).status).toBe(303);
  const silent = await startHostile(() => undefined);
  served.set("/known", "hang");
  const elapsed = startClock();
  const later = new Date(Date.now() + 6 * 60_000);
  const [copy, ...pages] = await Promise.all([
    readClientDocument(known, "127.0.0.1", later),
    ...[publish("/nothing", {}, "hang"), publish("/part", {}, "hang in the body")].map((id) => ask(id)),
    ask(`https://localhost:${silent.port}/no-tls`),
  ]);
  expect(elapsed()).toBeLessThan(9000);
  expect(copy?.app).toEqual({ id: known, name: "Notes", host: new URL(origin).host });
  for (const page of pages) {
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("No app is known by the client_id that was sent.");
  }
  expect(requests.slice(1).sort()).toEqual(["/known", "/nothing", "/part"]);
});

test("refreshes a document by its cache headers, and uses a valid copy for a week", async () => {
  const { publish, requests } = await startHost();
  const named = (client_name: string, how?: Served) => publish("/client", { client_name }, how);
  const url = named("First", { headers: { "cache-control": "max-age=1" } });
  const after = async (minutes: number) =>
    (await readClientDocument(url, "127.0.0.1", new Date(Date.now() + minutes * 60_000)))?.app.name;
  expect(await after(0)).toBe("First");
  named("Second", { headers: { "cache-control": "public, max-age=600" } });
  expect([await after(4), await after(6), await after(15)]).toEqual(["First", "Second", "Second"]);
  named("Third", { headers: { "cache-control": "max-age=31536000" } });
  expect([await after(17), await after(24 * 60)]).toEqual(["Third", "Third"]);
  named("Fourth", { status: 500 });
  const day = 24 * 60;
  expect([await after(2 * day), await after(7 * day)]).toEqual(["Third", "Third"]);
  expect(await after(8 * day)).toBeUndefined();
  expect(requests).toHaveLength(6);
});

test("fetches nothing from invalid addresses of documents", async () => {
  const { publish, origin, requests } = await startHost();
  publish("/right");
  for (const id of [
    origin,
    `${origin}/`,
    `${origin}/right#part`,
    `${origin}/a/../right`,
    `${origin}/a/%2e%2E/right`,
    `${origin.replace("https", "http")}/right`,
    `${origin.replace("://", "://user@")}/right`,
    `${origin}/${"x".repeat(1024)}`,
  ]) {
    expect([id, (await ask(id)).status]).toEqual([id, 400]);
  }
  expect(requests).toEqual([]);
});

test("reaches no internal address, whatever a document's URL is", async () => {
  for (const id of [
    "https://10.0.0.1/client.json",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00::1]/client.json",
  ])
    expect((await ask(id)).status).toBe(400);
});

test("fetches at most thirty documents in a burst for an address, and serves cached ones", async () => {
  const own = await startOAuthApi();
  const { publish, requests } = await startHost();
  const known = publish("/known");
  const other = await connectApp(own);
  const askFor = async (client_id: string) =>
    fetch(await other.addressToAsk({ client_id }), { redirect: "manual" });
  expect((await askFor(known)).status).toBe(303);
  const others = Array.from({ length: 60 }, (_, nth) => publish(`/${nth}`));
  const answers = await Promise.all(others.map(askFor));
  const page = defined(answers.find(({ status }) => status === 429));
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await page.text()).toMatch(/Too many tries. Wait \d+ seconds?\./);
  expect(requests.length).toBeLessThan(60);
  expect((await askFor(known)).status).toBe(303);
});

test("reads no documents where the operator has none", async () => {
  const closed = await startOAuthApi({ oauth: { registration: true, documents: false } });
  const { publish, requests } = await startHost();
  const other = await connectApp(closed);
  expect(other.server.client_id_metadata_document_supported).toBeUndefined();
  const answer = await fetch(await other.addressToAsk({ client_id: publish("/right") }), {
    redirect: "manual",
  });
  expect([answer.status, requests]).toEqual([400, []]);
});
