import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, PASSWORD, signUpAndIn, trySignIn } from "#server/testing/console.ts";
import { costOf } from "#server/testing/cpu.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startMailServer } from "#server/testing/mail-server.ts";
import { refuseGuessable } from "./password-strength.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const smtp = await startMailServer();
api.platform.mailer = openSmtp({ url: smtp.url, from: "Platform <platform@example.test>" });
await startJobs(api);

const NEW = "seven quiet otters";
const nobody = caller(api, "");

const change = (ada: { mutate: typeof nobody.mutate }, newPassword: string, password = PASSWORD) =>
  ada.mutate("me.password.change", { password, newPassword });

const mailsTo = (email: string, subject: RegExp) =>
  smtp.mails.filter(({ to, text }) => to.includes(email) && subject.test(text));

/** Returns the token of the latest link mailed to a person. */
async function mailedToken(email: string, count = 1) {
  await nobody.mutate("passwordReset.ask", { email });
  await expect.poll(() => mailsTo(email, /Subject: Choose a new password/).length).toBe(count);
  const [mail] = mailsTo(email, /Subject: Choose a new password/).slice(-1);
  return defined(/http:\/\/platform\.test\/reset-password\/([\w-]{43})/.exec(mail?.text ?? "")?.[1]);
}

const choose = (token: string, newPassword = NEW) =>
  nobody.mutate("passwordReset.choose", { token, newPassword });

test("can be changed by a person who knows it, which ends all other sessions and is confirmed by mail", async () => {
  const ada = await signUpAndIn(api);
  const elsewhere = caller(api, (await trySignIn(api, { email: ada.email, password: PASSWORD })).cookie);
  expect(await change(ada, NEW, "not the password")).toMatchObject({
    status: 400,
    error: { issues: [{ path: "body.password" }] },
  });
  expect((await elsewhere.query("me.read")).status).toBe(200);
  expect((await change(ada, NEW)).status).toBe(200);
  expect((await ada.query("me.read")).status).toBe(200);
  expect((await elsewhere.query("me.read")).status).toBe(401);
  const signIn = (password: string) => trySignIn(api, { email: ada.email, password });
  expect((await signIn(PASSWORD)).error).toBe("wrong_credentials");
  expect((await signIn(NEW)).error).toBeNull();
  await expect.poll(() => mailsTo(ada.email, /Subject: Your password .* was changed/).length).toBe(1);
  const { auditEvents } = (await ada.query("auditEvents.list", { limit: 50 })).data;
  expect(auditEvents.map(({ operation }: { operation: string }) => operation)).toContain("passwords.change");
});

test("cannot be changed to itself or to a commonly guessed one", async () => {
  const ada = await signUpAndIn(api);
  for (const refused of [PASSWORD, "password1234", "P@ssw0rd12345", "aaaaaaaaaaaaaaaa", ada.email, "short"])
    expect(await change(ada, refused), refused).toMatchObject({
      status: 400,
      error: { code: "invalid_request", issues: [{ path: "body.newPassword" }] },
    });
  const signedUp = await nobody.mutate("signUp", {
    name: "Ada",
    email: "new.person@example.test",
    password: "qwertyuiop12",
  });
  expect(signedUp).toMatchObject({ status: 400, error: { issues: [{ path: "body.password" }] } });
  expect((await trySignIn(api, { email: ada.email, password: PASSWORD })).error).toBeNull();
});

test("is judged as fast when it is long, since anybody may send one", async () => {
  function cost(length: number) {
    const password = Array.from({ length }, (_, nth) => "1100101"[(nth * nth) % 7]).join("");
    return costOf(() => refuseGuessable(password, "password", []).catch(() => undefined));
  }
  await cost(32);
  const ratio = async () => (await cost(1024)) / (await cost(32));
  await expect.poll(ratio).toBeLessThan(4);
});

test("is changed once by two at the same time", async () => {
  const ada = await signUpAndIn(api);
  const answers = await Promise.all([change(ada, NEW), change(ada, `${NEW} too`)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("leaves no session of the old one, however its sign-in and its change cross", async () => {
  for (let round = 0; round < 5; round++) {
    const ada = await signUpAndIn(api);
    const [, ...signIns] = await Promise.all([
      change(ada, NEW),
      ...[1, 2, 3].map(() => trySignIn(api, { email: ada.email, password: PASSWORD })),
    ]);
    for (const { error, cookie } of signIns) {
      if (error === null) expect((await caller(api, cookie).query("me.read")).status).toBe(401);
      else expect(error).toBe("wrong_credentials");
    }
  }
});

test("can be reset with a mailed link, once, which ends all sessions", async () => {
  const ada = await signUpAndIn(api);
  const token = await mailedToken(ada.email);
  expect(await choose(token, "password1234")).toMatchObject({
    status: 400,
    error: { issues: [{ path: "body.newPassword" }] },
  });
  const answers = await Promise.all([choose(token), choose(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await choose(token)).error.code).toBe("state_conflict");
  expect((await ada.query("me.read")).status).toBe(401);
  expect((await trySignIn(api, { email: ada.email, password: PASSWORD })).error).toBe("wrong_credentials");
  const { cookie } = await trySignIn(api, { email: ada.email, password: NEW });
  const { auditEvents } = (await caller(api, cookie).query("auditEvents.list", { limit: 50 })).data;
  expect(auditEvents.map(({ operation }: { operation: string }) => operation)).toContain("passwords.reset");
});

test("responds identically for every address, mails only people with a password, and stores no token", async () => {
  const ada = await signUpAndIn(api);
  const [known, unknown] = await Promise.all(
    [ada.email, "never.signed.up@example.test"].map((email) => nobody.mutate("passwordReset.ask", { email })),
  );
  expect(unknown).toEqual(known);
  const token = await mailedToken(ada.email, 2);
  expect(mailsTo("never.signed.up@example.test", /./)).toEqual([]);
  const rows = await api.platform.database.client`select row_to_json(r)::text as text from password_resets r`;
  expect(rows.some(({ text }) => text.includes(token))).toBe(false);
  expect((await choose("x".repeat(43))).error.code).toBe("state_conflict");
});

test("invalidates links when the password changes, and delays frequent requests", async () => {
  const ada = await signUpAndIn(api);
  const token = await mailedToken(ada.email);
  await change(ada, NEW);
  expect((await choose(token, `${NEW} too`)).error.code).toBe("state_conflict");
  const answers: number[] = [];
  for (let ask = 0; ask < 4; ask++)
    answers.push((await nobody.mutate("passwordReset.ask", { email: ada.email })).status);
  expect(answers).toContain(429);
});

test("does not let a link pass the second factor", async () => {
  const ada = await signUpAndIn(api);
  const { secret } = (await ada.mutate("me.secondFactor.begin", { password: PASSWORD })).data;
  await ada.mutate("me.secondFactor.confirm", { code: new TOTP({ secret }).generate() });
  expect((await choose(await mailedToken(ada.email))).status).toBe(200);
  expect((await trySignIn(api, { email: ada.email, password: NEW })).error).toBe("code_required");
});

test("is reset by no mail where no mail server is configured", async () => {
  const { mailer } = api.platform;
  api.platform.mailer = null;
  const refused = await nobody.mutate("passwordReset.ask", { email: "ada@example.test" });
  api.platform.mailer = mailer;
  expect(refused).toMatchObject({ status: 403, error: { code: "policy_denied" } });
});
