import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { unique } from "#server/testing/api.ts";
import { stopClock } from "#server/testing/clock.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { askByDevice, CHOICE, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { startServer } from "#server/testing/server-process.ts";

const database = await createTestDatabase();
const api = await startOAuthApi({}, { database });
const person = await signUpAndIn(api);

const read = (userCode: string, reader: Pick<typeof person, "mutate"> = person) =>
  reader.mutate("apps.devices.read", { userCode });

test("gives the command line a key of the person who entered its code, with a strict client", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(api.origin);
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const client = { client_id: "cli" };
  const asked = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, insecure);
  const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked);
  expect(codes).toMatchObject({
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${api.origin}/device`,
    verification_uri_complete: `${api.origin}/device?code=${codes.user_code}`,
    expires_in: 900,
    interval: 5,
  });
  const shown = await read(codes.user_code.toLowerCase().replace("-", " "));
  expect(shown.data.request).toMatchObject({
    app: { id: "cli", name: "Command line", host: null, verified: false },
    userCode: codes.user_code,
    ip: "127.0.0.1",
  });
  const requestId = shown.data.request.id;
  const { data } = await person.query("apps.requests.read", { requestId });
  expect(data.request).toMatchObject({ status: "open", returnsTo: null, maySpendFreely: true });
  // A person who opens the consent page without having entered the code recognises the program here.
  const { ip, userAgent, askedAt } = shown.data.request;
  expect(data.request.program).toEqual({ ip, userAgent, askedAt });
  const scopes = ["services:read", "services:invoke", "approvals:write", "api_keys:manage"];
  const allowed = await person.mutate("apps.allow", { requestId, ...CHOICE, scopes, creditsPerDay: null });
  expect(allowed.data).toEqual({ redirectTo: null });
  const polled = await oauth.deviceCodeGrantRequest(
    server,
    client,
    oauth.None(),
    codes.device_code,
    insecure,
  );
  const tokens = await oauth.processDeviceCodeResponse(server, client, polled);
  expect(tokens.scope?.split(" ").sort()).toEqual(scopes.sort());
  const key = tokens.access_token;
  expect((await api.send("GET", "/v1/services", { key })).status).toBe(200);
  expect((await api.send("POST", "/mcp", { key, body: {} })).status).toBe(401);
  const keys = await person.query("apiKeys.list", {});
  expect(keys.data.apiKeys[0]).toMatchObject({
    label: "Command line (Ada)",
    app: { id: "cli", verified: false },
    limits: { "*": { requestsPerMinute: 600 } },
  });
  const refreshed = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    defined(tokens.refresh_token),
    insecure,
  );
  expect((await oauth.processRefreshTokenResponse(server, client, refreshed)).scope).toBe(tokens.scope);
  const { asked: next } = await askByDevice(api);
  const again = (await read(next.user_code)).data.request.id;
  const offered = await person.query("apps.requests.read", { requestId: again });
  // It could spend without a limit.
  expect(offered.data.request.last).toMatchObject({ creditsPerDay: null, requestsPerMinute: 600, days: 90 });
});

test("asks for nothing that moves money or decides, unless it is named", async () => {
  const newcomer = await signUpAndIn(api);
  const chosenIn = async (fields: Record<string, string>) => {
    const { asked } = await askByDevice(api, fields);
    const requestId = (await read(asked.user_code)).data.request.id;
    const { data } = await newcomer.query("apps.requests.read", { requestId });
    return data.request.scopes
      .filter(({ chosen }: { chosen: boolean }) => chosen)
      .map(({ scope }: { scope: string }) => scope);
  };
  const chosen = await chosenIn({});
  expect(chosen).toContain("api_keys:manage");
  expect(chosen).toContain("runs:write");
  for (const scope of ["wallets:sign", "wallets:transact", "trading:execute", "approvals:write"])
    expect(chosen).not.toContain(scope);
  expect(await chosenIn({ scope: "approvals:write" })).toContain("approvals:write");
});

test("is only for the command line, which can sign in in no other way", async () => {
  const app = await connectApp(api);
  const client_id = app.client.client_id;
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  const cases: [path: string, fields: Record<string, string>, error: string][] = [
    ["/oauth/device", { client_id }, "unauthorized_client"],
    ["/oauth/device", { client_id: "nobody" }, "invalid_client"],
    ["/oauth/device", { client_id: "cli", client_secret: "x" }, "invalid_client"],
    ["/oauth/device", { client_id: "cli", scope: "nothing:known" }, "invalid_scope"],
    ["/oauth/device", { client_id: "cli", resource: "https://other.example" }, "invalid_target"],
    ["/oauth/token", { client_id, grant_type: device, device_code: "x" }, "unauthorized_client"],
    ["/oauth/token", { client_id: "cli", grant_type: "authorization_code" }, "unauthorized_client"],
    ["/oauth/token", { client_id: "cli", grant_type: device, device_code: "x" }, "invalid_grant"],
    ["/oauth/token", { client_id: "cli", grant_type: device }, "invalid_request"],
    ["/oauth/token", { client_id: "cli", grant_type: "constructor" }, "unsupported_grant_type"],
  ];
  for (const [path, fields, error] of cases)
    expect((await postForm(api, path, fields)).body.error, `${path} ${JSON.stringify(fields)}`).toBe(error);
  const page = await fetch(await app.addressToAsk({ client_id: "cli" }), { redirect: "manual" });
  expect(page.status).toBe(400);
});

test("slows down impatient programs, and reports a refusal", async () => {
  const { asked, poll } = await askByDevice(api);
  expect((await poll()).body.error).toBe("authorization_pending");
  const both = await Promise.all([poll(), poll()]);
  expect(both.map(({ body }) => body.error)).toEqual(["slow_down", "slow_down"]);
  expect(both.map(({ body }) => body.error_description).sort()).toEqual([
    "Wait 10 seconds between polls.",
    "Wait 15 seconds between polls.",
  ]);
  const { data } = await read(asked.user_code);
  const refused = await person.mutate("apps.refuse", { requestId: data.request.id });
  expect(refused.data).toEqual({ redirectTo: null });
  expect((await poll()).body.error).toBe("access_denied");
  expect((await poll()).body.error).toBe("access_denied");
});

test("reports expired codes to the program", async () => {
  const { asked, poll } = await askByDevice(api);
  stopClock(Date.now() + 900_000);
  expect((await poll()).body.error).toBe("expired_token");
  expect((await read(asked.user_code)).error.code).toBe("not_found");
});

test("gives tokens to one of two polls at once", async () => {
  const { allow, poll } = await askByDevice(api);
  expect((await allow(person)).status).toBe(200);
  const both = await Promise.all([poll(), poll(), poll()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const { access_token } = both.find(({ status }) => status === 200)?.body ?? {};
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
  expect((await poll()).body).toMatchObject({ error: "invalid_grant" });
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
});

test("lets a code be confirmed once", async () => {
  const other = await signUpAndIn(api);
  const { asked, allow } = await askByDevice(api);
  const { data } = await read(asked.user_code, other);
  expect((await allow(person)).status).toBe(200);
  const late = await other.mutate("apps.allow", { requestId: data.request.id, ...CHOICE });
  expect(late.error.code).toBe("state_conflict");
  expect((await read(asked.user_code)).error.code).toBe("not_found");
});

test("makes nothing for a member whose role has shrunk meanwhile", async () => {
  const developer = await signInMember(api, person.accountId, "developer");
  const { allow, poll } = await askByDevice(api);
  expect((await allow(developer, { scopes: ["projects:write"] })).status).toBe(200);
  await person.mutate("members.update", { memberId: developer.memberId, role: "viewer" });
  expect((await poll()).body.error).toBe("invalid_grant");
  expect((await poll()).body.error).toBe("invalid_grant");
});

test("lets the command line of an approver decide approvals, and do nothing else with that scope", async () => {
  const owner = await signUpAndIn(api);
  const approver = await signInMember(api, owner.accountId, "approver");
  const scopes = ["services:read", "wallets:read", "approvals:read", "approvals:write"];
  const { allow, poll } = await askByDevice(api, { scope: scopes.join(" ") });
  expect((await allow(approver, { scopes })).status).toBe(200);
  const token = (await poll()).body.access_token;
  const wallet = (await owner.mutate("wallets.create", { label: "Treasury" })).data.wallet;
  const path = `/v1/wallets/${wallet.id}/policy`;
  expect((await api.send("GET", `/v1/wallets/${wallet.id}`, { key: token })).status).toBe(200);
  const loosened = await api.send("PATCH", path, {
    key: token,
    body: { ifVersion: 1, dailyLimitUsd: "100" },
  });
  expect(loosened.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  const action = { serviceId: "managed-memory", operationId: "delete", input: { name: "notes" } };
  const asked = await api.send("POST", "/v1/approvals/service-actions", { key: token, body: action });
  expect(asked.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  const { approval } = (await owner.mutate("approvals.create", action)).data;
  const decision = { decision: "approve", payloadHash: approval.payloadHash };
  const decided = await api.send("POST", `/v1/approvals/${approval.id}`, {
    key: token,
    body: decision,
  });
  expect(decided.status).toBe(200);
});

test("keeps a person's consent when the server is killed", async () => {
  const { asked, allow } = await askByDevice(api);
  const first = await startServer(database.url, "--base-url", api.origin);
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: "cli",
    device_code: asked.device_code,
  };
  expect((await postForm(first, "/oauth/token", form)).body.error).toBe("authorization_pending");
  expect((await allow(person)).status).toBe(200);
  first.child.kill("SIGKILL");
  await first.untilGone();
  const second = await startServer(database.url, "--base-url", api.origin);
  const tokens = await postForm(second, "/oauth/token", form);
  expect(tokens.status).toBe(200);
  expect((await api.send("GET", "/v1/projects", { key: tokens.body.access_token })).status).toBe(200);
});

test("delays a person who guesses codes, and nobody else", async () => {
  const guesser = await signUpAndIn(api);
  const { asked } = await askByDevice(api);
  const guesses = await Promise.all(
    ["BBBB-BBBB", "CCCC-CCCC", "DDDD-DDDD", "FFFF-FFFF", "GGGG-GGGG", "HHHH-HHHH", "JJJJ-JJJJ"].map((guess) =>
      read(guess, guesser),
    ),
  );
  const codes = guesses.map(({ error }) => error.code).sort();
  expect(codes.slice(0, 2)).toEqual(["limit_exhausted", "limit_exhausted"]);
  expect(codes.slice(2)).toEqual(Array(5).fill("not_found"));
  // The wait doubles with each guess, until it is longer than a call takes on a busy machine.
  const afterAnother = async () => {
    await read("KKKK-KKKK", guesser);
    return (await read(asked.user_code, guesser)).error?.code;
  };
  await expect.poll(afterAnother).toBe("limit_exhausted");
  expect((await read(asked.user_code)).status).toBe(200);
  // Reading a correct code repeatedly is not guessing.
  for (let time = 0; time < 8; time += 1) expect((await read(asked.user_code)).status).toBe(200);
  expect((await read(unique("no letters 1234"))).error.code).toBe("not_found");
});
