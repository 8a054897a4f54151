import { expect, test } from "vitest";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { askToDelete } from "#server/testing/approvals.ts";
import { caller, signInMember, signUpAndIn } from "#server/testing/console.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startMailServer } from "#server/testing/mail-server.ts";

const api = await startApi();
const server = await startMailServer();
api.platform.mailer = openSmtp({ url: server.url, from: "platform@example.test" });

type Person = Awaited<ReturnType<typeof signUpAndIn>>;

/** Has a person invite so many others; returns their addresses. */
async function invite({ mutate }: Person, people: number): Promise<string[]> {
  const invited: string[] = [];
  for (let nth = 0; nth < people; nth++) {
    const email = `${unique("invited")}@example.test`;
    expect((await mutate("invitations.create", { email, role: "viewer" })).status).toBe(200);
    invited.push(email);
  }
  return invited;
}

/** Runs the waiting jobs, one at a time; returns the recipients of their mails in order. */
async function recipients(mails: number): Promise<(string | undefined)[]> {
  const worker = await startJobs(api, { concurrency: 1 });
  await expect.poll(() => server.mails.length).toBe(mails);
  await worker.stop();
  return server.mails.splice(0).map(({ to }) => to[0]);
}

test("mails the links for signing in first, then one invitation of each account in turn", async () => {
  const [many, few, forgetful] = [await signUpAndIn(api), await signUpAndIn(api), await signUpAndIn(api)];
  const [first, second, ...others] = await invite(many, 5);
  const [one, two] = await invite(few, 2);
  const asked = await caller(api, "").mutate("passwordReset.ask", { email: forgetful.email });
  expect(asked.status).toBe(200);
  expect(await recipients(8)).toEqual([forgetful.email, first, one, second, two, ...others]);
});

test("mails another account's approvals before the eleventh person of one account", async () => {
  const [many, few] = [await signUpAndIn(api), await signUpAndIn(api)];
  for (let nth = 0; nth < 12; nth++) await signInMember(api, many.accountId, "approver");
  for (const { mutate } of [many, few]) {
    const scopes = ["services:read", "services:invoke", "approvals:read", "approvals:write"];
    const { secret: key } = (await mutate("apiKeys.create", { label: "Asks", scopes })).data;
    expect((await askToDelete(api, key, { name: "note" })).status).toBe(201);
  }
  const mailed = await recipients(14);
  expect(mailed.indexOf(few.email)).toBe(10);
});
