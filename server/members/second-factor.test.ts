import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { removeSecondFactor } from "#server/members/enrol-second-factor.ts";
import { startApi } from "#server/testing/api.ts";
import { guessUntilRefused, PASSWORD, signUpAndIn, trySignIn } from "#server/testing/console.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });

const STEP_MS = 30_000;

/** Waits for the next time step if the current one is about to end, so that codes do not become outdated on the way. */
async function early() {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < STEP_MS / 3) await new Promise((resolve) => setTimeout(resolve, left));
}

/** Returns the authenticator app's code, now or some steps of thirty seconds ahead. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });

async function withSecondFactor() {
  const ada = await signUpAndIn(api);
  await early();
  const { secret } = (await ada.mutate("me.secondFactor.begin", { password: PASSWORD })).data;
  const confirmed = await ada.mutate("me.secondFactor.confirm", { code: codeOf(secret, -1) });
  const sign = (code?: string) =>
    trySignIn(api, { email: ada.email, password: PASSWORD, ...(code && { code }) });
  return { ...ada, secret, recoveryCodes: confirmed.data.recoveryCodes as string[], sign };
}

test("counts for nothing until a code of the app has come back", async () => {
  const ada = await signUpAndIn(api);
  const begun = await ada.mutate("me.secondFactor.begin", { password: PASSWORD });
  expect(begun.data.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(begun.data.qrCode).toMatch(/^data:image\/png;base64,/);
  expect((await trySignIn(api, { email: ada.email, password: PASSWORD })).error).toBeNull();
  const wrong = await ada.mutate("me.secondFactor.confirm", { code: "000000" });
  expect(wrong).toMatchObject({ status: 400, error: { issues: [{ path: "body.code" }] } });
  expect((await ada.query("me.read")).data.secondFactor).toBe(false);
});

test("requires a code at sign-in once it is on, and accepts each code once", async () => {
  const ada = await withSecondFactor();
  expect((await ada.query("me.read")).data.secondFactor).toBe(true);
  expect((await ada.sign()).error).toBe("code_required");
  const code = codeOf(ada.secret);
  expect((await ada.sign(code)).error).toBeNull();
  expect((await ada.sign(code)).error).toBe("code_wrong");
  expect((await ada.sign(codeOf(ada.secret, 1))).error).toBeNull();
  expect((await ada.sign(codeOf(ada.secret, 5))).error).toBe("code_wrong");
});

test("lets exactly one of two concurrent sign-ins use a code", async () => {
  const ada = await withSecondFactor();
  const code = codeOf(ada.secret);
  const answers = await Promise.all([ada.sign(code), ada.sign(code)]);
  expect(answers.map(({ error }) => error).sort()).toEqual(["code_wrong", null]);
});

test("accepts each of ten recovery codes once, however it is typed", async () => {
  const ada = await withSecondFactor();
  expect(new Set(ada.recoveryCodes).size).toBe(10);
  // Five bits per character, at least 112 bits (ASVS 5.0, V6.5.2).
  for (const code of ada.recoveryCodes) expect(code).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
  const [first = "", second = ""] = ada.recoveryCodes;
  expect((await ada.sign(first)).error).toBeNull();
  expect((await ada.sign(first)).error).toBe("code_wrong");
  expect((await ada.sign(second.toUpperCase().replaceAll("-", " "))).error).toBeNull();
});

test("keeps nothing that a reader of the database could sign in with", async () => {
  const ada = await withSecondFactor();
  const [row] = await api.platform.database.client`select * from users where email = ${ada.email}`;
  const stored = JSON.stringify(row, (_, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  );
  for (const secret of [ada.secret, PASSWORD, ...ada.recoveryCodes]) expect(stored).not.toContain(secret);
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test("is turned off with the password and a code, not with one of them", async () => {
  const ada = await withSecondFactor();
  const disable = (password: string, code: string) =>
    ada.mutate("me.secondFactor.disable", { password, code });
  expect(await disable("not the password", codeOf(ada.secret))).toMatchObject({
    status: 400,
    error: { issues: [{ path: "body.password" }] },
  });
  expect(await disable(PASSWORD, "000000")).toMatchObject({
    status: 400,
    error: { issues: [{ path: "body.code" }] },
  });
  expect((await ada.sign()).error).toBe("code_required");
  expect((await disable(PASSWORD, codeOf(ada.secret))).status).toBe(200);
  expect((await ada.sign()).error).toBeNull();
  expect((await ada.sign(ada.recoveryCodes[0])).error).toBeNull();
});

test("is not replaced while it is on", async () => {
  const ada = await withSecondFactor();
  const refused = await ada.mutate("me.secondFactor.begin", { password: PASSWORD });
  expect(refused).toMatchObject({ status: 409, error: { code: "state_conflict" } });
});

test("makes guesses of a code wait", async () => {
  const ada = await withSecondFactor();
  const { wrong, waitSeconds } = await guessUntilRefused(() => ada.sign("000000"), "code_wrong");
  expect(wrong).toBeGreaterThanOrEqual(5);
  // Each further guess that a slow machine lets through doubles the wait.
  expect(waitSeconds).toBeLessThanOrEqual(2 ** (wrong - 5));
});

test("can be removed by the operator for a person who has lost it, which ends their sessions and is audited", async () => {
  const ada = await withSecondFactor();
  const { db, client } = api.platform.database;
  expect(await db.transaction((tx) => removeSecondFactor(tx, ada.email))).toBe(true);
  expect((await ada.query("me.read")).status).toBe(401);
  expect((await ada.sign()).error).toBeNull();
  expect(await db.transaction((tx) => removeSecondFactor(tx, ada.email))).toBe(false);
  const acts = await client`select operation from audit_events e join accounts a on a.id = e.account_id
    join members m on m.account_id = a.id join users u on u.id = m.user_id
    where u.email = ${ada.email} and operation like 'secondFactor.%' order by e.id`;
  expect(acts.map(({ operation }) => operation)).toEqual(["secondFactor.enable", "secondFactor.remove"]);
});
