import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { caller, PASSWORD, trySignIn } from "#server/testing/console.ts";

const api = await startApi({ settings: { baseUrl: "https://platform.test" } });

test("keeps the session's cookie to HTTPS where the platform is reached by HTTPS", async () => {
  const email = "ada@example.test";
  await caller(api, "").mutate("signUp", { name: "Ada", email, password: PASSWORD });
  const { cookie, setCookie } = await trySignIn(api, { email, password: PASSWORD });
  const session = setCookie.find((line) => line.startsWith("__Secure-next-auth.session-token="));
  expect(session).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  expect((await caller(api, cookie).query("me.read")).data.email).toBe(email);
});
