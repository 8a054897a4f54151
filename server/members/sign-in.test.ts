import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { sweepSignIns } from "#server/jobs/drop-old-rows.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, guessUntilRefused, PASSWORD, signUpAndIn, trySignIn } from "#server/testing/console.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });

test("signs up, signs in, and ends a revoked session at once", async () => {
  const ada = await signUpAndIn(api);
  const { cookie } = await trySignIn(api, { email: ada.email, password: PASSWORD }, "203.0.113.7");
  const elsewhere = caller(api, cookie);
  expect((await ada.query("me.read")).data).toMatchObject({
    email: ada.email,
    name: "Ada",
    accountId: ada.accountId,
    role: "owner",
    secondFactor: false,
  });
  const { sessions } = (await ada.query("me.sessions.list")).data;
  expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  expect(sessions[0]).toMatchObject({ ip: "203.0.113.7", userAgent: "node" });
  expect((await elsewhere.query("projects.list")).status).toBe(200);
  const revoked = await ada.mutate("me.sessions.revoke", { sessionId: sessions[0].id });
  expect(revoked.status).toBe(200);
  for (const path of ["projects.list", "me.read", "me.sessions.list"])
    expect(await elsewhere.query(path)).toMatchObject({ status: 401, error: { code: "unauthenticated" } });
  expect((await ada.query("me.sessions.list")).data.sessions).toHaveLength(1);
});

test("starts an account with the credits of a sign-up", async () => {
  const { email } = await signUpAndIn(api);
  const rows = await api.platform.database.client`select l.posted::int from ledger_accounts l
    join members m on m.account_id = l.account_id join users u on u.id = m.user_id
    where u.email = ${email} and l.book = 'customer'`;
  expect([...rows]).toEqual([{ posted: 10_000 }]);
});

test("ends the session on signing out", async () => {
  const ada = await signUpAndIn(api);
  const csrf = await fetch(`${api.origin}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const token = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const signedOut = await fetch(`${api.origin}/api/auth/signout`, {
    method: "POST",
    headers: { cookie: [ada.cookie, ...token].join("; ") },
    body: new URLSearchParams({ csrfToken, json: "true" }),
  });
  expect(signedOut.status).toBe(200);
  expect((await ada.query("me.read")).status).toBe(401);
});

test("notes when a session was last seen, at most once a minute", async () => {
  const ada = await signUpAndIn(api);
  const { client } = api.platform.database;
  const [session] = (await ada.query("me.sessions.list")).data.sessions;
  const seen = async () => (await ada.query("me.sessions.list")).data.sessions[0].lastSeenAt;
  await ada.query("projects.list");
  expect(await seen()).toBe(session.lastSeenAt);
  await client`update sessions set last_seen_at = now() - interval '61 seconds' where id =
    (select s.id from sessions s join users u on u.id = s.user_id where u.email = ${ada.email})`;
  await ada.query("projects.list");
  expect(Date.parse(await seen())).toBeGreaterThanOrEqual(Date.parse(session.lastSeenAt));
});

test("ends every other session of the person", async () => {
  const ada = await signUpAndIn(api);
  const others = [];
  for (const _ of [1, 2])
    others.push(caller(api, (await trySignIn(api, { email: ada.email, password: PASSWORD })).cookie));
  expect((await ada.mutate("me.sessions.revokeOthers")).data).toEqual({ revoked: 2 });
  expect((await ada.query("me.read")).status).toBe(200);
  for (const other of others) expect((await other.query("me.read")).status).toBe(401);
});

test("does not reveal or revoke another person's sessions", async () => {
  const [ada, grace] = [await signUpAndIn(api), await signUpAndIn(api)];
  const [session] = (await grace.query("me.sessions.list")).data.sessions;
  const refused = await ada.mutate("me.sessions.revoke", { sessionId: session.id });
  expect(refused).toMatchObject({ status: 404, error: { code: "not_found" } });
  expect((await grace.query("me.read")).status).toBe(200);
});

test.each(["a\u0000b", "\ud800"])("refuses the name %j, which can't be stored", async (name) => {
  const email = `${unique("person")}@example.test`;
  const refused = await caller(api, "").mutate("signUp", { name, email, password: PASSWORD });
  expect(refused).toMatchObject({ status: 400, error: { code: "invalid_request" } });
});

test("keeps the session in a cookie that scripts and other sites don't get", async () => {
  const email = `${unique("person")}@example.test`;
  await caller(api, "").mutate("signUp", { name: "Ada", email, password: PASSWORD });
  const { setCookie } = await trySignIn(api, { email, password: PASSWORD });
  const session = setCookie.find((cookie) => cookie.startsWith("next-auth.session-token="));
  expect(session).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
});

test("treats an e-mail address as the same person's however it is written", async () => {
  const name = unique("Ada.Lovelace");
  const sign = { name: "Ada", password: PASSWORD };
  expect((await caller(api, "").mutate("signUp", { ...sign, email: ` ${name}@Example.test ` })).status).toBe(
    200,
  );
  const again = await caller(api, "").mutate("signUp", {
    ...sign,
    email: `${name.toLowerCase()}@example.test`,
  });
  expect(again).toMatchObject({ status: 409, error: { code: "already_exists" } });
  const { error } = await trySignIn(api, { email: `${name.toUpperCase()}@EXAMPLE.TEST`, password: PASSWORD });
  expect(error).toBeNull();
});

test("lets exactly one of two concurrent sign-ups take an address", async () => {
  const person = { name: "Ada", email: `${unique("person")}@example.test`, password: PASSWORD };
  const answers = await Promise.all([1, 2].map(() => caller(api, "").mutate("signUp", person)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
});

test("asks for a password of at least twelve characters, and names every fault at once", async () => {
  const refused = await caller(api, "").mutate("signUp", {
    name: " ",
    email: "ada",
    password: "elevenchars",
  });
  expect(refused).toMatchObject({
    status: 400,
    error: {
      code: "invalid_request",
      issues: [
        { path: "body.name", message: "Enter your name." },
        { path: "body.email", message: "Send an e-mail address, e.g. ada@example.com." },
        { path: "body.password", message: "The password has 11 characters. Use at least 12." },
      ],
    },
  });
});

test("says the same of a wrong password and of an unknown person", async () => {
  const ada = await signUpAndIn(api);
  const wrong = await trySignIn(api, { email: ada.email, password: "not the password" });
  const unknown = await trySignIn(api, { email: "nobody@example.test", password: "not the password" });
  expect([wrong.error, unknown.error]).toEqual(["wrong_credentials", "wrong_credentials"]);
});

test("lets five of twenty parallel guesses through, and makes the rest wait", async () => {
  const ada = await signUpAndIn(api);
  const startedAt = performance.now();
  const guesses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      trySignIn(api, { email: ada.email, password: `guess number ${index}` }),
    ),
  );
  expectWaits(guesses, 5, startedAt);
});

/** Expects that so many of the concurrent guesses were wrong, and that the others have to wait. */
function expectWaits(guesses: { error: string | null }[], most: number, startedAt: number) {
  const errors = guesses.map(({ error }) => error);
  const wrong = errors.filter((error) => error === "wrong_credentials").length;
  // The first wait ends after a second, the next after two more, which a busy machine may need for all of them.
  const waited = Math.floor(Math.log2((performance.now() - startedAt) / 1000 + 1));
  expect(wrong).toBeGreaterThanOrEqual(most);
  expect(wrong).toBeLessThanOrEqual(most + waited);
  expect(errors.filter((error) => error?.startsWith("wait:"))).toHaveLength(guesses.length - wrong);
}

test("doubles the wait with every failure, and forgets failures once the password is right", async () => {
  const ada = await signUpAndIn(api);
  const guess = () => trySignIn(api, { email: ada.email, password: "not the password" });
  const judged: { before: number; after: number }[] = [];
  while (judged.length < 7) {
    const before = performance.now();
    const { error } = await guess();
    if (error === "wrong_credentials") judged.push({ before, after: performance.now() });
    else {
      expect([judged.length >= 5, error]).toEqual([true, expect.stringMatching(/^wait:[12]$/)]);
      await sleep(100);
    }
  }
  const secondsTo = (nth: number) => (defined(judged[nth]).after - defined(judged[nth - 1]).before) / 1000;
  expect(secondsTo(5)).toBeGreaterThanOrEqual(1);
  expect(secondsTo(6)).toBeGreaterThanOrEqual(2);
  const right = () => trySignIn(api, { email: ada.email, password: PASSWORD });
  await expectKeptOut(guess, right);
  await expect.poll(async () => (await right()).error).toBeNull();
  for (let tries = 0; tries < 4; tries++) expect((await guess()).error).toBe("wrong_credentials");
});

test("lets a person in where they have signed in before, however often strangers guess", async () => {
  const ada = await signUpAndIn(api);
  const right = { email: ada.email, password: PASSWORD };
  const wrong = { email: ada.email, password: "not the password" };
  const guess = () => trySignIn(api, wrong);
  await expectKeptOut(guess, () => trySignIn(api, right));
  await guessUntilRefused(guess, "wrong_credentials");
  const { error, cookie } = await trySignIn(api, right, undefined, ada.cookie);
  expect(error).toBeNull();
  // Guesses with this browser wait like others, and it is known for this person only.
  await expectKeptOut(
    () => trySignIn(api, wrong, undefined, cookie),
    () => trySignIn(api, right, undefined, cookie),
  );
  const grace = await signUpAndIn(api);
  await expectKeptOut(guess, () => trySignIn(api, right, undefined, grace.cookie));
});

/** Expects that this person has to wait too; on a slow machine the wait may have ended already. */
async function expectKeptOut(
  guess: () => ReturnType<typeof trySignIn>,
  attempt: () => ReturnType<typeof trySignIn>,
) {
  const errors: (string | null)[] = [];
  for (let tries = 0; tries < 5 && !errors.at(-1)?.startsWith("wait:"); tries++) {
    await guessUntilRefused(guess, "wrong_credentials");
    errors.push((await attempt()).error);
  }
  expect(errors.at(-1)).toMatch(/^wait:/);
}

test("ends the browser's earlier session on signing in again", async () => {
  const ada = await signUpAndIn(api);
  const again = await trySignIn(api, { email: ada.email, password: PASSWORD }, undefined, ada.cookie);
  expect(again.error).toBeNull();
  expect((await ada.query("me.read")).status).toBe(401);
  expect((await caller(api, again.cookie).query("me.sessions.list")).data.sessions).toHaveLength(1);
});

test("makes an address that guesses at many people wait", async () => {
  const guess = (index: number) =>
    trySignIn(api, { email: `nobody-${index}@example.test`, password: "not it" }, "203.0.113.8");
  const startedAt = performance.now();
  const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(index)));
  expectWaits(guesses, 30, startedAt);
});

test("refuses a sign-in that another site's page sends", async () => {
  const response = await fetch(`${api.origin}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { origin: "https://evil.test" },
    body: new URLSearchParams({ email: "ada@example.test", password: PASSWORD }),
  });
  expect(response.status).toBe(403);
});

test("records sign-ins and revocations in the account's audit", async () => {
  const ada = await signUpAndIn(api);
  await trySignIn(api, { email: ada.email, password: PASSWORD });
  await ada.mutate("me.sessions.revokeOthers");
  const { client } = api.platform.database;
  const rows = await client`select operation from audit_events e join accounts a on a.id = e.account_id
    join members m on m.account_id = a.id join users u on u.id = m.user_id where u.email = ${ada.email} order by e.id`;
  expect(rows.map((row) => row.operation)).toEqual([
    "accounts.create",
    "sessions.create",
    "sessions.create",
    "sessions.revoke",
  ]);
});

test("logs each refused sign-in with its address and reason, and no typed text", async () => {
  const ada = await signUpAndIn(api);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const guess = () => trySignIn(api, { email: ada.email, password: "not the password" }, "203.0.113.11");
  const { wrong, waitSeconds } = await guessUntilRefused(guess, "wrong_credentials");
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  const logged = lines.map((line) => JSON.parse(line)).filter(({ ip }) => ip === "203.0.113.11");
  expect(logged.map(({ level, reason }) => [level, reason])).toEqual([
    ...Array(wrong).fill(["warn", "wrong_credentials"]),
    ["warn", `wait:${waitSeconds}`],
  ]);
  for (const typed of [ada.email, "not the password"]) expect(lines.join("")).not.toContain(typed);
});

test("sweeps ended sessions and forgotten failures, and nothing that still counts", async () => {
  const ada = await signUpAndIn(api);
  const { db, client } = api.platform.database;
  await trySignIn(api, { email: ada.email, password: PASSWORD });
  const [newest] = (await ada.query("me.sessions.list")).data.sessions;
  await ada.mutate("me.sessions.revoke", { sessionId: newest.id });
  await client`update sessions set revoked_at = now() - interval '31 days' where revoked_at is not null`;
  await trySignIn(api, { email: "forgotten@example.test", password: "not it" }, "203.0.113.9");
  await client`update sign_in_attempts set forgotten_until = now() - interval '25 hours', blocked_until = '-infinity'`;
  await trySignIn(api, { email: "recent@example.test", password: "not it" }, "203.0.113.10");
  await sweepSignIns(db);
  const [left] = await client`select (select count(*)::int from sign_in_attempts) as failures,
    (select count(*)::int from sessions where revoked_at is not null) as revoked`;
  expect(left).toEqual({ failures: 2, revoked: 0 });
  expect((await ada.query("me.read")).status).toBe(200);
});
