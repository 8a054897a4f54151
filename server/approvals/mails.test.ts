import { afterAll, expect, test } from "vitest";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { startApi } from "#server/testing/api.ts";
import { askToDelete } from "#server/testing/approvals.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startMailServer } from "#server/testing/mail-server.ts";

const api = await startApi();
const { client } = api.platform.database;
let server = await startMailServer();
api.platform.mailer = openSmtp({ url: server.url, from: "platform@example.test" });
const worker = await startJobs(api);
afterAll(worker.stop);

const SCOPES = ["services:read", "services:invoke", "approvals:read", "approvals:write"];
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));

/** Waits until no job is left that would mail this account's approvals. */
async function settled() {
  await expect
    .poll(async () => {
      const [row] = await client`select count(*)::int as due from graphile_worker.jobs
        where task_identifier = 'mailApprovals' and run_at <= now() and attempts < max_attempts`;
      return row?.due;
    })
    .toBe(0);
}

/** Creates an account with a key that requests approvals. */
async function asking() {
  const ada = await signUpAndIn(api);
  const made = await ada.mutate("apiKeys.create", { label: "Evil-Label http://evil.test", scopes: SCOPES });
  const key = made.data.secret;
  const ask = async (name: string): Promise<{ id: string; payloadHash: string }> =>
    (await askToDelete(api, key, { name }, { reason: "Evil-Reason" })).body.approval;
  return { ada, ask };
}

test("mails the possible approvers, once for requests within a quarter of an hour, without customers' words", async () => {
  const { ada, ask } = await asking();
  const approver = await signInMember(api, ada.accountId, "approver");
  const viewer = await signInMember(api, ada.accountId, "viewer");
  const developer = await signInMember(api, ada.accountId, "developer");
  const { id } = await ask("Evil-Name");
  await expect.poll(() => mailsTo(ada.email).length + mailsTo(approver.email).length).toBe(2);
  const [mail] = mailsTo(approver.email);
  expect(mail?.text).toContain("Subject: 1 approval waits for your decision on Managed Services");
  expect(mail?.text).toContain(`http://platform.test/approvals/${id}`);
  expect(mail?.text).toContain("A service action, until");
  expect(mail?.text).not.toContain("Evil");
  expect(mail?.text).not.toMatch(/svc_live_|payloadHash|decision=|\?/);

  await ask("two");
  await ask("three");
  await settled();
  expect(mailsTo(ada.email)).toHaveLength(1);
  expect(mailsTo(viewer.email)).toEqual([]);
  expect(mailsTo(developer.email)).toEqual([]);
  const [later] = await client`select run_at > now() + interval '14 minutes' as later
    from graphile_worker.jobs where key = ${`mailApprovals/${ada.accountId}`}`;
  expect(later).toEqual({ later: true });
});

test("mails nobody who has turned mails off or may not decide this approval", async () => {
  const { ada } = await asking();
  const [off, other] = [
    await signInMember(api, ada.accountId, "approver"),
    await signInMember(api, ada.accountId, "approver"),
  ];
  expect((await off.query("approvals.mails.read")).data.mails).toEqual({ available: true, wanted: true });
  const changed = await off.mutate("approvals.mails.update", { wanted: false });
  expect(changed.data.mails).toEqual({ available: true, wanted: false });
  const body = {
    label: "Treasury",
    policy: { approval: { always: true, initiatorMayApprove: false } },
  };
  const made = await ada.mutate("apiKeys.create", {
    label: "Signer",
    scopes: ["wallets:read", "wallets:create", "wallets:sign"],
  });
  const signer = made.data.secret;
  const { wallet } = await api.mustSend(201, "POST", "/v1/wallets", { key: signer, body });
  const path = `/v1/wallets/${wallet.id}/signatures`;
  const message = { kind: "message", message: "Release the funds." };
  const { quote } = await api.mustSend(201, "POST", `${path}/quote`, { key: signer, body: message });
  await api.mustSend(202, "POST", path, { key: signer, body: { quoteId: quote.id } });
  await expect.poll(() => mailsTo(other.email)).toHaveLength(1);
  expect(mailsTo(other.email)[0]?.text).toContain("A signature, until");
  await settled();
  // The owner created the requesting key.
  expect(mailsTo(ada.email)).toEqual([]);
  expect(mailsTo(off.email)).toEqual([]);
});

test("delays nobody's mail about a request that arrives while others are mailed", async () => {
  const { ada, ask } = await asking();
  await ask("one");
  await expect.poll(() => mailsTo(ada.email)).toHaveLength(1);
  const slow = await signInMember(api, ada.accountId, "approver");
  const goOn = server.hold(slow.email);
  await ask("two");
  await expect.poll(() => mailsTo(slow.email)).toHaveLength(1);
  const late = await signInMember(api, ada.accountId, "approver");
  await ask("three");
  goOn();
  await expect.poll(() => mailsTo(late.email)).toHaveLength(1);
});

test("keeps on while the mail server is away", async () => {
  const { ada, ask } = await asking();
  await server.stop();
  const { id } = await ask("away");
  await expect
    .poll(async () => {
      const [job] = await client`select attempts from graphile_worker.jobs
        where key = ${`mailApprovals/${ada.accountId}`} and last_error is not null`;
      return job?.attempts ?? 0;
    })
    .toBeGreaterThan(0);
  server = await startMailServer(server.port);
  await expect.poll(() => mailsTo(ada.email)).toHaveLength(1);
  expect(mailsTo(ada.email)[0]?.text).toContain(`http://platform.test/approvals/${id}`);
});
