import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, PASSWORD, trySignIn } from "#server/testing/console.ts";

const IDLE_SECONDS = 5;
const LAST_SECONDS = 40;
const api = await startApi({
  settings: {
    baseUrl: "https://platform.test",
    sessions: { lastSeconds: LAST_SECONDS, idleSeconds: IDLE_SECONDS },
  },
});

test("keeps the session's cookie to HTTPS where the platform is reached by HTTPS", async () => {
  const email = `${unique("person")}@example.test`;
  await caller(api, "").mutate("signUp", { name: "Ada", email, password: PASSWORD });
  const { cookie, setCookie } = await trySignIn(api, { email, password: PASSWORD });
  const session = setCookie.find((line) => line.startsWith("__Secure-next-auth.session-token="));
  expect(session).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  expect(setCookie.find((line) => line.startsWith("__Secure-known-browser="))).toMatch(
    /; Path=\/api\/auth; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect((await caller(api, cookie).query("me.read")).data.email).toBe(email);
});

test("ends a session that nobody uses, and at last one that somebody uses", async () => {
  const email = `${unique("person")}@example.test`;
  await caller(api, "").mutate("signUp", { name: "Ada", email, password: PASSWORD });
  const signIn = async () => caller(api, (await trySignIn(api, { email, password: PASSWORD })).cookie);
  const began = performance.now();
  const [used, unused] = [await signIn(), await signIn()];
  const seconds = (since = began) => (performance.now() - since) / 1000;
  const left = performance.now();
  while (seconds(left) < IDLE_SECONDS + 1) {
    expect((await used.query("me.read")).status).toBe(200);
    await sleep(200);
  }
  expect((await unused.query("me.read")).status).toBe(401);
  expect((await unused.query("projects.list")).status).toBe(401);
  expect((await used.query("me.sessions.list")).data.sessions).toHaveLength(1);
  while ((await used.query("me.read")).status === 200) await sleep(200);
  expect(seconds()).toBeGreaterThanOrEqual(LAST_SECONDS);
});
