import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { caller, PASSWORD, signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
const { client } = api.platform.database;

/** Creates an account with two owners and a developer. */
async function staffedAccount() {
  const ada = await signUpAndIn(api);
  const { members } = (await ada.query("members.list")).data;
  const grace = await signInMember(api, ada.accountId, "owner");
  const dev = await signInMember(api, ada.accountId, "developer");
  return { ada: { ...ada, memberId: members[0].id as string }, grace, dev };
}

type Member = Awaited<ReturnType<typeof signInMember>>;

async function keyOf(member: Pick<Member, "mutate">, scopes = ["projects:read"]) {
  const { data } = await member.mutate("apiKeys.create", { label: "Mine", scopes });
  return { id: data.apiKey.id, secret: data.secret };
}

const useKey = (secret: string) => api.send("GET", "/v1/projects", { key: secret });

test("lists everybody of the account to every member, and nobody of another", async () => {
  const { ada, grace, dev } = await staffedAccount();
  await signUpAndIn(api);
  const { members, nextCursor } = (await dev.query("members.list")).data;
  expect(members.map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
    [dev.email, "developer"],
    [grace.email, "owner"],
    [ada.email, "owner"],
  ]);
  expect(members[2]).toMatchObject({ id: ada.memberId, name: "Ada", secondFactor: false });
  expect(nextCursor).toBeNull();
});

test.for(["admin", "developer", "approver", "viewer"] as const)(
  "lets no %s change a role, invite, remove another or change the account",
  async (role) => {
    const ada = await signUpAndIn(api);
    const member = await signInMember(api, ada.accountId, role);
    const [, owner] = (await ada.query("members.list")).data.members;
    const acts = [
      ["members.update", { memberId: owner.id, role: "viewer" }],
      ["members.delete", { memberId: owner.id }],
      ["invitations.create", { email: "eve@example.test", role: "owner" }],
      ["account.update", { requireSecondFactor: false }],
      ["account.delete", {}],
    ] as const;
    for (const [path, input] of acts)
      expect(await member.mutate(path, input)).toMatchObject({
        status: 403,
        error: { code: "scope_missing" },
      });
    expect(await member.query("invitations.list")).toMatchObject({ status: 403 });
    expect((await member.query("account.read")).data.account.name).toBe("Ada");
  },
);

test("lets a changed role count from the next call, and ends keys that are wider than it", async () => {
  const { ada, dev } = await staffedAccount();
  const wide = await keyOf(dev, ["projects:read", "projects:write", "api_keys:manage"]);
  const narrow = await keyOf(dev);
  const child = await api.createChild(wide.secret, { scopes: ["projects:read"] });
  const changed = await ada.mutate("members.update", { memberId: dev.memberId, role: "viewer" });
  expect(changed.data).toMatchObject({
    member: { id: dev.memberId, role: "viewer" },
    revokedKeyIds: [wide.id, child.apiKey.id],
  });
  expect(await dev.mutate("projects.create", { name: "Shop" })).toMatchObject({ status: 403 });
  expect((await dev.query("projects.list")).status).toBe(200);
  expect((await useKey(wide.secret)).body.error.code).toBe("api_key_revoked");
  expect((await useKey(child.key)).body.error.code).toBe("ancestor_revoked");
  expect((await useKey(narrow.secret)).status).toBe(200);
});

test("ends keys that may do more with a scope than the new role, and keeps those that may not", async () => {
  const ada = await signUpAndIn(api);
  const admin = await signInMember(api, ada.accountId, "admin");
  const make = async (body: object) =>
    (await admin.mutate("apiKeys.create", { label: "Mine", scopes: ["approvals:write"], ...body })).data;
  const wide = await make({});
  const policies = await make({ allowedOperations: ["wallets.policy.update"] });
  const deciding = await make({ allowedOperations: ["approvals.decide"] });
  const below = await admin.mutate("apiKeys.delegate", {
    parentId: deciding.apiKey.id,
    label: "Below",
    scopes: ["approvals:write"],
  });
  expect(below.status).toBe(200);
  const { memberId } = admin;
  const changed = await ada.mutate("members.update", { memberId, role: "approver" });
  expect(changed.data.revokedKeyIds).toEqual([wide.apiKey.id, policies.apiKey.id]);
  const access = await ada.query("apiKeys.list", { status: "active" });
  expect(access.data.apiKeys.map(({ id }: { id: string }) => id).sort()).toEqual(
    [deciding.apiKey.id, below.data.apiKey.id].sort(),
  );
});

test("ends a removed member's sessions, keys and invitations at once", async () => {
  const { ada, grace } = await staffedAccount();
  const key = await keyOf(grace);
  const invited = await grace.mutate("invitations.create", { email: "eve@example.test", role: "viewer" });
  const removed = await ada.mutate("members.delete", { memberId: grace.memberId });
  expect(removed.data).toMatchObject({ member: { id: grace.memberId }, revokedKeyIds: [key.id] });
  for (const path of ["projects.list", "me.read"])
    expect(await grace.query(path)).toMatchObject({ status: 401, error: { code: "unauthenticated" } });
  expect(await useKey(key.secret)).toMatchObject({
    status: 401,
    body: { error: { code: "api_key_revoked" } },
  });
  const [invitation] = (await ada.query("invitations.list")).data.invitations;
  expect(invitation).toMatchObject({ id: invited.data.invitation.id, status: "revoked", invitedBy: null });
  const sessions = await client`select s.revoked_at is not null as ended from sessions s
    join users u on u.id = s.user_id where u.email = ${grace.email}`;
  expect([...sessions]).toEqual([{ ended: true }]);
});

test("ends the invitations of an owner who is given another role, and no other's", async () => {
  const { ada, grace } = await staffedAccount();
  const back = await grace.mutate("invitations.create", { email: "back@example.test", role: "owner" });
  const other = await ada.mutate("invitations.create", { email: "other@example.test", role: "viewer" });
  expect(back.status).toBe(200);
  await ada.mutate("members.update", { memberId: grace.memberId, role: "viewer" });
  const { invitations } = (await ada.query("invitations.list")).data;
  expect(invitations.map(({ id, status }: Record<string, string>) => [id, status])).toEqual([
    [other.data.invitation.id, "pending"],
    [back.data.invitation.id, "revoked"],
  ]);
  const token = back.data.link.split("/").at(-1);
  const joining = { name: "Grace", email: "back@example.test", password: PASSWORD, invitation: token };
  expect(await caller(api, "").mutate("signUp", joining)).toMatchObject({
    status: 409,
    error: { code: "state_conflict" },
  });
});

test("leaves no invitation of an owner who is demoted while they invite", async () => {
  const { ada, grace } = await staffedAccount();
  const waiting = (count: number) =>
    expect
      .poll(
        () =>
          client`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(count);
  // Both wait for the lock on the membership, and get it in this order.
  const answers = await client.begin(async (tx) => {
    await tx`select from members m join users u on u.id = m.user_id where u.email = ${grace.email} for update of m`;
    const demoted = ada.mutate("members.update", { memberId: grace.memberId, role: "admin" });
    await waiting(1);
    const invited = grace.mutate("invitations.create", { email: "back@example.test", role: "owner" });
    await waiting(2);
    return { demoted, invited };
  });
  expect((await answers.demoted).data.member.role).toBe("admin");
  expect(await answers.invited).toMatchObject({ status: 403, error: { code: "scope_missing" } });
  expect((await ada.query("invitations.list")).data.invitations).toEqual([]);
});

test("lets a person continue in another account after they were removed from one", async () => {
  const { ada, grace } = await staffedAccount();
  const other = await signUpAndIn(api);
  const { data } = await other.mutate("invitations.create", { email: grace.email, role: "viewer" });
  const token = data.link.split("/").at(-1);
  expect((await grace.mutate("me.accounts.join", { token })).status).toBe(200);
  await ada.mutate("members.delete", { memberId: grace.memberId });
  const sessions = await client`select s.revoked_at is null as live from sessions s
    join users u on u.id = s.user_id where u.email = ${grace.email}`;
  expect([...sessions]).toEqual([{ live: true }]);
});

test("lets any member leave, and nobody as the last owner", async () => {
  const { ada, grace, dev } = await staffedAccount();
  expect((await dev.mutate("account.leave")).status).toBe(200);
  expect((await dev.query("me.read")).status).toBe(401);
  expect((await grace.mutate("account.leave")).status).toBe(200);
  for (const [path, input] of [
    ["account.leave", {}],
    ["members.delete", { memberId: ada.memberId }],
    ["members.update", { memberId: ada.memberId, role: "admin" }],
  ] as const)
    expect(await ada.mutate(path, input)).toMatchObject({ status: 409, error: { code: "state_conflict" } });
  expect((await ada.query("members.list")).data.members).toHaveLength(1);
});

test("keeps one owner when two remove or demote each other at once", async () => {
  for (const [path, input] of [
    ["members.delete", {}],
    ["members.update", { role: "viewer" }],
  ] as const) {
    const { ada, grace } = await staffedAccount();
    await Promise.all([
      ada.mutate(path, { memberId: grace.memberId, ...input }),
      grace.mutate(path, { memberId: ada.memberId, ...input }),
    ]);
    const owners = await client`select m.id from members m join users u on u.id = m.user_id
      where m.role = 'owner' and u.email in (${ada.email}, ${grace.email})`;
    expect(owners).toHaveLength(1);
  }
});

test("keeps one owner when both leave at once", async () => {
  const { ada, grace } = await staffedAccount();
  const left = await Promise.all([ada, grace].map((owner) => owner.mutate("account.leave")));
  expect(left.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("leaves no key of a member who is removed while they make one", async () => {
  for (let round = 0; round < 5; round++) {
    const { ada, dev } = await staffedAccount();
    const [made] = await Promise.all([
      dev.mutate("apiKeys.create", { label: "Late", scopes: ["projects:read"] }),
      ada.mutate("members.delete", { memberId: dev.memberId }),
    ]);
    const answer = await useKey(made.data?.secret ?? "");
    expect(answer.status).toBe(401);
  }
});

test("answers 404 to members and invitations of another account, as to missing ones", async () => {
  const { ada } = await staffedAccount();
  const other = await signUpAndIn(api);
  const invited = await other.mutate("invitations.create", { email: "eve@example.test", role: "viewer" });
  const [stranger] = (await other.query("members.list")).data.members;
  const acts = [
    ["members.update", { memberId: stranger.id, role: "viewer" }],
    ["members.delete", { memberId: stranger.id }],
    ["members.delete", { memberId: "nonsense" }],
    ["invitations.revoke", { invitationId: invited.data.invitation.id }],
  ] as const;
  for (const [path, input] of acts)
    expect(await ada.mutate(path, input)).toMatchObject({ status: 404, error: { code: "not_found" } });
});

test("audits every change of members under the person who made it", async () => {
  const { ada, dev } = await staffedAccount();
  await ada.mutate("invitations.create", { email: "eve@example.test", role: "viewer" });
  await ada.mutate("members.update", { memberId: dev.memberId, role: "viewer" });
  await ada.mutate("members.delete", { memberId: dev.memberId });
  const { auditEvents } = (await ada.query("auditEvents.list", { limit: 100 })).data;
  const emitted = auditEvents.filter(({ operation }: { operation: string }) =>
    /^(members|invitations)\.[^l]/.test(operation),
  );
  expect(emitted.map((event: Record<string, unknown>) => [event.operation, event.outcome])).toEqual([
    ["members.delete", "allowed"],
    ["members.update", "allowed"],
    ["invitations.create", "allowed"],
  ]);
  expect(emitted[0]).toMatchObject({
    actor: { type: "member", id: ada.memberId, label: "Ada" },
    resource: dev.memberId,
  });
});

test("serves nothing of members over the API", async () => {
  const { key } = await api.createRootKey();
  for (const path of ["/v1/members", "/v1/invitations", "/v1/account"])
    expect((await api.send("GET", path, { key })).status).toBe(404);
});
