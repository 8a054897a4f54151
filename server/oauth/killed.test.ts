import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { CALLBACK, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { startServer } from "#server/testing/server-process.ts";

const database = await createTestDatabase();
const api = await startOAuthApi({}, { database });
const ISSUED = /^insert into "oauth_tokens"/;

/**
 * Kills the server that redeems a code when the database responds to `moment`; then the app sends the same to another.
 */
async function redeemThroughKill(moment: Parameters<typeof startLossyDatabase>[1]) {
  const lossy = await startLossyDatabase(database.url, moment);
  const [person, app, first] = await Promise.all([
    signUpAndIn(api),
    connectApp(api, { resource: "/v1" }),
    // Started before the code is issued, which is valid for only a minute.
    startServer(lossy.url, "--base-url", api.origin),
  ]);
  const form = {
    grant_type: "authorization_code",
    code: defined((await app.allow(person)).searchParams.get("code")),
    client_id: app.client.client_id,
    redirect_uri: CALLBACK,
    code_verifier: app.verifier,
  };
  const lost = lossy.lose();
  const redeemed = postForm(first, "/oauth/token", form).catch(() => "no answer");
  await lost;
  first.child.kill("SIGKILL");
  expect(await redeemed).toBe("no answer");
  await first.untilGone();
  return { person, ...(await postForm(api, "/oauth/token", form)) };
}

test("gives the tokens of a code to the app that asks again, when the server was killed before they counted", async () => {
  const { person, status, body } = await redeemThroughKill({ text: ISSUED });
  expect(status).toBe(200);
  expect((await api.send("GET", "/v1/projects", { key: body.access_token })).status).toBe(200);
  expect((await person.query("apps.list")).data.apps).toHaveLength(1);
});

test("leaves no access behind when the server was killed between a code's redemption and its answer", async () => {
  const { person, status, body } = await redeemThroughKill({ text: /^commit$/, after: ISSUED });
  expect([status, body.error]).toEqual([400, "invalid_grant"]);
  expect((await person.query("apps.list")).data.apps).toEqual([]);
  expect((await person.query("apiKeys.list", { status: "active" })).data.apiKeys).toEqual([]);
  const { data } = await person.query("apiKeys.list");
  expect(data.apiKeys).toMatchObject([{ app: { name: "Notes" }, status: "revoked" }]);
});
