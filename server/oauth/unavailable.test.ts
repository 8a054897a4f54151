import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { startNetwork } from "#server/testing/network.ts";
import { askByDevice, CALLBACK, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";

/** Starts the platform behind a connection to its database that a test can disturb. */
async function startBehind(way: (url: string) => Promise<{ url: string }>) {
  const database = await createTestDatabase();
  const { url } = await way(database.url);
  return startOAuthApi({}, { database: { url, drop: database.drop } });
}

test("answers unavailable while its database is, never that a token is invalid, and works afterwards", async () => {
  let cut: () => void = () => undefined;
  let restore: () => void = () => undefined;
  const api = await startBehind(async (url) => {
    const network = await startNetwork(() => url);
    ({ cut, restore } = network);
    return { url: network.url() };
  });
  const person = await signUpAndIn(api);
  const app = await connectApp(api, { resource: "/v1" });
  const client_id = app.client.client_id;
  const { access_token, refresh_token } = await app.redeem(await app.allow(person));
  const device = await askByDevice(api);
  const code = {
    grant_type: "authorization_code",
    client_id,
    code: defined((await app.allow(person)).searchParams.get("code")),
    redirect_uri: CALLBACK,
    code_verifier: app.verifier,
  };
  const refresh = { grant_type: "refresh_token", client_id, refresh_token: defined(refresh_token) };
  const registration = { redirect_uris: [CALLBACK] };

  cut();
  const elapsed = startClock();
  const [page, ...answers] = await Promise.all([
    fetch(await app.addressToAsk(), { redirect: "manual" }),
    postForm(api, "/oauth/token", code),
    postForm(api, "/oauth/token", refresh),
    device.poll(),
    postForm(api, "/oauth/revoke", { client_id, token: access_token }),
    postForm(api, "/oauth/device", { client_id: "cli" }),
    api.send("POST", "/oauth/register", { body: registration }),
  ]);
  expect(elapsed()).toBeLessThan(5000);
  for (const { status, headers, body } of answers) {
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect([page.status, page.headers.get("location")]).toEqual([503, null]);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);

  restore();
  const isBack = async () => (await postForm(api, "/oauth/device", { client_id: "cli" })).status;
  await expect.poll(isBack).toBe(200);
  expect((await postForm(api, "/oauth/token", code)).status).toBe(200);
  expect((await postForm(api, "/oauth/token", refresh)).status).toBe(200);
  expect((await api.send("GET", "/v1/projects", { key: access_token })).status).toBe(200);
});

test("reports the outage at the app's redirect address, if that is known", async () => {
  let lose: () => Promise<void> = async () => undefined;
  const api = await startBehind(async (url) => {
    const lossy = await startLossyDatabase(url, /^insert into "oauth_requests"/);
    ({ lose } = lossy);
    return lossy;
  });
  const app = await connectApp(api);
  const lost = lose();
  const [back] = await Promise.all([app.ask(), lost]);
  expect(back.href.split("?")[0]).toBe(CALLBACK);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    error: "temporarily_unavailable",
    state: app.state,
    iss: api.origin,
  });
  await expect.poll(async () => (await app.ask()).pathname).toBe("/oauth/consent");
});
