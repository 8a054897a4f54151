import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, PASSWORD, signInMember, signUpAndIn, trySignIn } from "#server/testing/console.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startMailServer } from "#server/testing/mail-server.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const { client } = api.platform.database;

const newEmail = () => `${unique("invited")}@example.test`;
const nobody = caller(api, "");

async function invite(email: string, role = "developer") {
  const ada = await signUpAndIn(api);
  const made = await ada.mutate("invitations.create", { email, role });
  expect(made.status).toBe(200);
  const link = made.data.link;
  return { ada, link, token: defined(link?.split("/").at(-1)), invitation: made.data.invitation };
}

const signUp = (email: string, token: string) =>
  nobody.mutate("signUp", { name: "Grace", email, password: PASSWORD, invitation: token });

async function signIn(email: string, invitation?: string) {
  const credentials = { email, password: PASSWORD, ...(invitation && { invitation }) };
  const { error, cookie } = await trySignIn(api, credentials);
  return { error, ...caller(api, cookie) };
}

test("answers a link once where no mail server is configured, and keeps no token", async () => {
  const { ada, link, token, invitation } = await invite("New.Person@Example.test");
  expect(link).toBe(`http://platform.test/invitation/${token}`);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(invitation).toMatchObject({
    email: "new.person@example.test",
    role: "developer",
    status: "pending",
    mail: "none",
    invitedBy: "Ada",
  });
  const listed = await ada.query("invitations.list", { status: "pending" });
  expect(listed.data.invitations).toEqual([invitation]);
  const [row] =
    await client`select row_to_json(i)::text as text from invitations i where email = 'new.person@example.test'`;
  const records = await client`select encode(body, 'escape') as text from idempotency_records`;
  expect([row?.text, ...records.map(({ text }) => text)].join("\n")).not.toContain(token);
});

test("lists invitations by a part of their address, by role, status and period", async () => {
  const { ada } = await invite("grace@navy.test", "viewer");
  await ada.mutate("invitations.create", { email: "alan@bletchley.test", role: "developer" });
  const emails = async (query: object) => {
    const { data } = await ada.query("invitations.list", query);
    return data.invitations.map(({ email }: { email: string }) => email);
  };
  expect(await emails({})).toEqual(["alan@bletchley.test", "grace@navy.test"]);
  expect(await emails({ sort: "createdAt" })).toEqual(["grace@navy.test", "alan@bletchley.test"]);
  expect(await emails({ search: "NAVY" })).toEqual(["grace@navy.test"]);
  expect(await emails({ role: "developer" })).toEqual(["alan@bletchley.test"]);
  expect(await emails({ search: "navy", status: "revoked" })).toEqual([]);
  const later = new Date(Date.now() + 1_000).toISOString();
  expect(await emails({ to: later })).toHaveLength(2);
  expect(await emails({ from: later })).toEqual([]);
});

test("makes a new person a member of the account, without one of their own", async () => {
  const email = newEmail();
  const { ada, token } = await invite(email);
  const signedUp = await signUp(email, token);
  expect(signedUp.data).toEqual({ accountId: ada.accountId });
  const grace = await signIn(email);
  expect((await grace.query("me.read")).data).toMatchObject({ accountId: ada.accountId, role: "developer" });
  expect((await grace.query("me.accounts.list")).data.accounts).toEqual([
    { id: ada.accountId, name: "Ada", role: "developer", current: true },
  ]);
  const [event] = (await ada.query("auditEvents.list", { operation: "invitations.accept" })).data.auditEvents;
  expect(event).toMatchObject({
    actor: { type: "member", label: "Grace" },
    resource: expect.stringMatching(/^inv_/),
  });
});

test("makes a person who signs in with it a member, and starts in that account", async () => {
  const grace = await signUpAndIn(api);
  const { ada, token } = await invite(grace.email, "viewer");
  const joined = await signIn(grace.email, token);
  expect((await joined.query("me.read")).data).toMatchObject({ accountId: ada.accountId, role: "viewer" });
  const accounts = (await joined.query("me.accounts.list")).data.accounts;
  expect(accounts.map(({ id, current }: Record<string, unknown>) => [id, current])).toEqual([
    [grace.accountId, false],
    [ada.accountId, true],
  ]);
});

test("lets a person of several accounts go from one to the other in one session", async () => {
  const grace = await signUpAndIn(api);
  const { ada, token } = await invite(grace.email);
  const inOther = await cookieOf(grace, "me.accounts.join", { token });
  expect((await inOther.query("me.read")).data.accountId).toBe(ada.accountId);
  const back = await cookieOf(inOther, "me.accounts.switch", { accountId: grace.accountId });
  expect((await back.query("me.read")).data.accountId).toBe(grace.accountId);
  expect((await back.query("me.sessions.list")).data.sessions).toHaveLength(1);
  const stranger = await signUpAndIn(api);
  const refused = await back.mutate("me.accounts.switch", { accountId: stranger.accountId });
  expect(refused).toMatchObject({ status: 404, error: { code: "not_found" } });
});

/** Returns the cookie that a mutation's response sets. */
async function cookieOf(from: ReturnType<typeof caller>, path: string, input: unknown) {
  const response = await fetch(`${api.origin}/api/trpc/${path}`, {
    method: "POST",
    headers: {
      cookie: from.cookie,
      origin: api.platform.settings.baseUrl,
      "content-type": "application/json",
    },
    body: JSON.stringify(input),
  });
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^next-auth\.session-token=.+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  return caller(api, defined(cookie.split(";")[0]));
}

test("is good once, even for two at the same time", async () => {
  const email = newEmail();
  const { ada, token } = await invite(email);
  const answers = await Promise.all([signUp(email, token), signUp(email, token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await ada.query("members.list")).data.members).toHaveLength(2);
  expect((await signIn(email, token)).error).toBe("invitation_over");
});

test("is valid for its e-mail address only", async () => {
  const email = newEmail();
  const { ada, token } = await invite(email);
  const eve = await signUpAndIn(api);
  expect(await eve.mutate("me.accounts.join", { token })).toMatchObject({
    status: 403,
    error: { code: "policy_denied" },
  });
  expect((await signIn(eve.email, token)).error).toBe("invitation_for_another");
  expect((await signUp(newEmail(), token)).status).toBe(403);
  expect((await signUp(email, token)).data).toEqual({ accountId: ada.accountId });
});

test("leads nowhere once it is revoked, has expired, or was never made", async () => {
  const [first, second] = [newEmail(), newEmail()];
  const revoked = await invite(first);
  const { invitationId } = { invitationId: revoked.invitation.id };
  expect((await revoked.ada.mutate("invitations.revoke", { invitationId })).data.invitation.status).toBe(
    "revoked",
  );
  const expired = await invite(second);
  await client`update invitations set expires_at = now() where email = ${second}`;
  const over = { status: 409, error: { code: "state_conflict" } };
  expect(await signUp(first, revoked.token)).toMatchObject(over);
  expect(await signUp(second, expired.token)).toMatchObject(over);
  expect(await signUp(newEmail(), "x".repeat(43))).toMatchObject(over);
  const again = await expired.ada.mutate("invitations.create", { email: second, role: "viewer" });
  expect((await signUp(second, again.data.link.split("/").at(-1))).status).toBe(200);
});

test("invites nobody twice, and no member", async () => {
  const email = newEmail();
  const { ada } = await invite(email);
  const member = await signInMember(api, ada.accountId, "viewer");
  for (const taken of [email, email.toUpperCase(), member.email])
    expect(await ada.mutate("invitations.create", { email: taken, role: "viewer" })).toMatchObject({
      status: 409,
      error: { code: "already_exists" },
    });
  const other = newEmail();
  const both = await Promise.all(
    [1, 2].map(() => ada.mutate("invitations.create", { email: other, role: "viewer" })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("mails the link, and keeps on while the mail server is away", async () => {
  const first = await startMailServer();
  await first.stop();
  const mailer = openSmtp({ url: first.url, from: "Platform <platform@example.test>" });
  api.platform.mailer = mailer;
  const worker = await startJobs(api);
  const ada = await signUpAndIn(api);
  const made = await ada.mutate("invitations.create", { email: "grace@example.test", role: "viewer" });
  expect(made.data).toMatchObject({ link: null, invitation: { mail: "waiting", mailError: null } });
  const waiting = await until(ada, ({ mailError }) => mailError !== null);
  expect(waiting).toMatchObject({ mail: "waiting", mailError: expect.stringContaining("(SMTP_URL)") });
  const server = await startMailServer(first.port);
  expect(await until(ada, ({ mail }) => mail === "sent")).toMatchObject({ mailError: null });
  expect(server.mails).toHaveLength(1);
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: "platform@example.test", to: ["grace@example.test"] });
  expect(mail?.text).toContain("Subject: Join Ada on Managed Services");
  const [, token = ""] = /http:\/\/platform\.test\/invitation\/([\w-]{43})/.exec(mail?.text ?? "") ?? [];
  expect((await signUp("grace@example.test", token)).data).toEqual({ accountId: ada.accountId });

  await ada.mutate("invitations.create", { email: "nobody@example.test", role: "viewer" });
  expect(await until(ada, ({ mail }) => mail !== "waiting")).toMatchObject({
    mail: "failed",
    mailError: expect.stringContaining("No such mailbox"),
  });
  await worker.stop();
  api.platform.mailer = null;
});

type Mailed = { mail: string; mailError: string | null };

/** Waits until the latest invitation fulfils the condition, and returns it. */
async function until(ada: ReturnType<typeof caller>, isSo: (invitation: Mailed) => boolean): Promise<Mailed> {
  for (;;) {
    const [invitation] = (await ada.query("invitations.list")).data.invitations;
    if (isSo(invitation)) return invitation;
    await sleep(50);
  }
}
