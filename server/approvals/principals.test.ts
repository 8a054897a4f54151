import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { askToDelete, decide } from "#server/testing/approvals.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { requestApproval } from "./queries.ts";

const api = await startApi();
const POLICY = { scopes: ["approvals:read", "approvals:write", "api_keys:manage"] };

interface Approval {
  id: string;
  payloadHash: string;
}
type Member = Awaited<ReturnType<typeof signInMember>>;

async function ask(key: string, requiredApprovals: number): Promise<Approval> {
  return (await askToDelete(api, key, { name: "a" }, { requiredApprovals })).body.approval;
}

function decideAs(member: Pick<Member, "mutate">, { id, payloadHash }: Approval, decision = "approve") {
  return member.mutate("approvals.decide", { approvalId: id, payloadHash, decision });
}

async function keyOf(member: Pick<Member, "mutate">, body = {}) {
  const { data } = await member.mutate("apiKeys.create", { label: "Made by a member", ...POLICY, ...body });
  return { key: data.secret, id: data.apiKey.id };
}

/** Requests an approval like another part of the platform, with its own rules. */
function request(
  accountId: string,
  chain: string[],
  rules: { initiatorMayApprove: boolean; approvers?: string[] },
) {
  return api.platform.database.db.transaction((tx) =>
    requestApproval(tx, {
      caller: keyCaller(accountId, chain),
      kind: "transaction",
      serviceId: "managed-wallets",
      subject: { operationId: "wallets.transactions.create", id: null },
      summary: "Send 5 USD.",
      payload: { amount: "5" },
      ...rules,
    }),
  );
}

const refusedTwice = {
  status: 409,
  code: "state_conflict",
  message: "You have decided this approval already, yourself or by a key of the same branch.",
};

test("counts a key with its ancestors and descendants as one approver, and a sibling as another", async () => {
  const { key } = await api.createRootKey();
  const [parent, sibling] = [await api.createChild(key, POLICY), await api.createChild(key, POLICY)];
  const child = await api.createChild(parent.key, POLICY);
  const approval = await ask(key, 2);
  expect((await decide(api, parent.key, approval)).body.approval).toMatchObject({ status: "pending" });
  for (const same of [parent.key, child.key, key])
    expect((await decide(api, same, approval)).body.error).toMatchObject(refusedTwice);
  expect((await decide(api, sibling.key, approval)).body.approval).toMatchObject({
    status: "approved",
    decisions: [{ by: { id: parent.apiKey.id } }, { by: { id: sibling.apiKey.id } }],
  });
});

test("counts a member, the keys that they made and those below as one approver", async () => {
  const person = await signUpAndIn(api);
  const [first, second] = [await keyOf(person), await keyOf(person)];
  const below = await api.createChild(first.key, POLICY);
  const other = await signInMember(api, person.accountId, "approver");
  const approval = await ask(first.key, 2);
  expect((await decideAs(person, approval)).data.approval).toMatchObject({ status: "pending" });
  for (const same of [first.key, second.key, below.key])
    expect((await decide(api, same, approval)).body.error).toMatchObject(refusedTwice);
  expect((await decideAs(person, approval)).error).toMatchObject(refusedTwice);
  const decided = (await decideAs(other, approval)).data.approval;
  expect(decided).toMatchObject({
    status: "approved",
    decisions: [{ by: { type: "member", label: "Ada" } }, { by: { type: "member", id: other.memberId } }],
  });
});

test("lets a key decide that reaches no service", async () => {
  const { key } = await api.createRootKey();
  const { key: approver } = await api.createChild(key, { ...POLICY, allowedServices: [] });
  const approval = await ask(key, 1);
  const { body } = await api.send("GET", "/v1/approvals?status=pending", { key: approver });
  expect(body.approvals).toMatchObject([{ id: approval.id }]);
  expect((await decide(api, approver, approval)).body.approval).toMatchObject({ status: "approved" });
});

test("lets one reject end it", async () => {
  const { key } = await api.createRootKey();
  const [one, two] = [await api.createChild(key, POLICY), await api.createChild(key, POLICY)];
  const approval = await ask(key, 2);
  await decide(api, one.key, approval);
  const rejected = await decide(api, two.key, approval, { decision: "reject", reason: "Too early." });
  expect(rejected.body.approval).toMatchObject({
    status: "rejected",
    decisions: [{ decision: "approve" }, { decision: "reject", reason: "Too early." }],
  });
  expect((await decide(api, key, approval)).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
  });
});

test("refuses a key that is younger than the approval", async () => {
  const { key } = await api.createRootKey();
  const approval = await ask(key, 1);
  const { key: young, apiKey } = await api.createChild(key, POLICY);
  expect((await decide(api, young, approval)).body.error).toMatchObject({
    status: 403,
    code: "policy_denied",
    message: `Key ${apiKey.id} is younger than the approval. Decide with an older key.`,
  });
});

test("refuses a decision by the initiator's principal, if initiators may not decide", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const [initiator, sibling] = [await api.createChild(key, POLICY), await api.createChild(key, POLICY)];
  const chain = [initiator.apiKey.id, apiKey.id];
  const approval = await request(accountId, chain, { initiatorMayApprove: false });
  for (const same of [initiator.key, key])
    expect((await decide(api, same, approval)).body.error).toMatchObject({
      status: 403,
      code: "policy_denied",
      message: "Who asked for this approval may not decide it. Have another approver do so.",
    });
  expect((await decide(api, sibling.key, approval)).body.approval).toMatchObject({ status: "approved" });
});

test("lets only the listed approvers decide", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const [listed, sibling] = [await api.createChild(key, POLICY), await api.createChild(key, POLICY)];
  const member = await signInMember(api, accountId, "approver");
  const stranger = await signInMember(api, accountId, "admin");
  const rules = { initiatorMayApprove: true, approvers: [listed.apiKey.id, member.memberId] };
  const [one, two] = [
    await request(accountId, [apiKey.id], rules),
    await request(accountId, [apiKey.id], rules),
  ];
  const refused = { status: 403, code: "policy_denied" };
  expect((await decide(api, sibling.key, one)).body.error).toMatchObject(refused);
  expect((await decideAs(stranger, one)).error).toMatchObject(refused);
  expect((await decide(api, listed.key, one)).body.approval).toMatchObject({ status: "approved" });
  expect((await decideAs(member, two)).data.approval).toMatchObject({ status: "approved" });
});

test("lets exactly as many of parallel decisions count as are required", async () => {
  const { key } = await api.createRootKey();
  const keys = await Promise.all(Array.from({ length: 6 }, () => api.createChild(key, POLICY)));
  const approval = await ask(key, 2);
  const answers = await Promise.all(keys.map((approver) => decide(api, approver.key, approval)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
  const [found] = (await api.send("GET", `/v1/approvals?id=${approval.id}`, { key })).body.approvals;
  expect(found).toMatchObject({ status: "approved" });
  expect(found.decisions).toHaveLength(2);
});

test("lets an approver decide in the console, and ask for nothing", async () => {
  const { key, accountId } = await api.createRootKey();
  const member = await signInMember(api, accountId, "approver");
  const approval = await ask(key, 1);
  const asked = await member.mutate("approvals.create", {
    serviceId: "managed-memory",
    operationId: "delete",
    input: { name: "a" },
  });
  expect(asked.error).toMatchObject({ status: 403, code: "scope_missing", check: "scope" });
  expect((await decideAs(member, approval)).data.approval).toMatchObject({ status: "approved" });
  const actions = (await member.query("actions.list", { serviceId: "platform-api", limit: 100 })).data
    .actions;
  const allowed = (operation: string) =>
    actions.find((action: { operation: string }) => action.operation === operation).allowed;
  expect([allowed("approvals.decide"), allowed("approvals.create")]).toEqual([true, false]);
});

test.each(["developer", "viewer"] as const)("lets a %s decide nothing", async (role) => {
  const { key, accountId } = await api.createRootKey();
  const member = await signInMember(api, accountId, role);
  const approval = await ask(key, 1);
  expect((await decideAs(member, approval)).error).toMatchObject({ status: 403, code: "scope_missing" });
  expect((await member.query("approvals.list")).data.approvals).toMatchObject([{ id: approval.id }]);
});
