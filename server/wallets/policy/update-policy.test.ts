import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { threadMs } from "#server/testing/cpu.ts";
import { eventsKept, listen } from "#server/testing/events.ts";

const api = await startApi();

async function makeWallet(policy: Record<string, unknown> = {}) {
  const root = await api.createRootKey();
  const { key } = root;
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Shop", policy } })).body;
  const path = `/v1/wallets/${wallet.id}/policy`;
  const change = (body: Record<string, unknown>, approvalId?: string, by = key) =>
    api.send("PATCH", approvalId ? `${path}?approvalId=${approvalId}` : path, { key: by, body });
  return { ...root, wallet, change };
}

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

test("refuses an approval for a change that needs none, and changes nothing", async () => {
  const { change } = await makeWallet({ dailyLimitUsd: "500", approval: { policyChanges: true } });
  const approvalId = "appr_01jzzzzzzzzzzzzzzzzzzzzzzz";
  const refused = await change({ ifVersion: 1, dailyLimitUsd: "400" }, approvalId);
  expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "query.approvalId" }] });
  expect((await change({ ifVersion: 1, dailyLimitUsd: "400" })).status).toBe(200);
});

test("changes only the given fields, merges signatures and approval field by field, and clears with null", async () => {
  const { change, wallet, accountId } = await makeWallet({
    dailyLimitUsd: "500",
    maxPerTransactionUsd: "100",
    allowedRecipients: [ADA],
    signatures: { messages: false },
    approval: { aboveUsd: "50", requiredApprovals: 2 },
  });
  await listen(api, accountId);
  const changed = await change({
    ifVersion: 1,
    maxPerTransactionUsd: null,
    allowedRecipients: [],
    signatures: { typedDataContracts: [ADA] },
    approval: { aboveUsd: null, always: true },
  });
  expect(changed.status).toBe(200);
  expect(changed.body.wallet.policy).toEqual({
    ...wallet.policy,
    version: 2,
    dailyLimitUsd: "500",
    maxPerTransactionUsd: null,
    allowedRecipients: [],
    signatures: { messages: false, typedDataContracts: [ADA] },
    approval: { ...wallet.policy.approval, aboveUsd: null, always: true, requiredApprovals: 2 },
  });
  expect(await eventsKept(api, accountId)).toMatchObject([
    { type: "wallet.policy.updated", data: { wallet: changed.body.wallet } },
  ]);
  const cleared = await change({ ifVersion: 2, signatures: null, approval: null });
  expect(cleared.body.wallet.policy).toMatchObject({
    signatures: { messages: true, typedDataContracts: null },
    approval: { always: false, requiredApprovals: 1 },
  });
});

test("lets exactly one of two changes of the same version pass", async () => {
  const { change } = await makeWallet();
  const answers = await Promise.all(
    ["1", "2"].map((dailyLimitUsd) => change({ ifVersion: 1, dailyLimitUsd })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe("state_conflict");
});

test("refuses rules that nothing could ever satisfy", async () => {
  const { change, apiKey } = await makeWallet();
  const { body } = await change({ ifVersion: 1, approval: { requiredApprovals: 2, approvers: [apiKey.id] } });
  expect(body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "body.approval.requiredApprovals" }],
  });
});

test("needs approvals:write, which an approver has for deciding only", async () => {
  const owner = await signUpAndIn(api);
  const made = await owner.mutate("wallets.create", { label: "Shop" });
  const { id } = made.data.wallet;
  const approver = await signInMember(api, owner.accountId, "approver");
  const refused = await approver.mutate("wallets.policy.update", { walletId: id, ifVersion: 1 });
  expect(refused.error.code).toBe("scope_missing");
  const allowed = await owner.mutate("wallets.policy.update", {
    walletId: id,
    ifVersion: 1,
    dailyLimitUsd: "5",
  });
  expect(allowed.data.wallet.policy.dailyLimitUsd).toBe("5");
});

const GUARDED = {
  maxPerTransactionUsd: "100",
  dailyLimitUsd: "500",
  allowedNetworks: ["eip155:31337"],
  allowedAssets: ["native"],
  allowedRecipients: [ADA],
  allowedContracts: [{ address: ADA, methods: ["approve(address,uint256)"] }],
  signatures: { messages: false, typedDataContracts: [] },
  approval: { aboveUsd: "10", always: true, requiredApprovals: 2, policyChanges: true },
};

// biome-ignore format: a table
const LOOSENING: Record<string, unknown>[] = [
  { maxPerTransactionUsd: "100.01" }, { maxPerTransactionUsd: null }, { dailyLimitUsd: "501" },
  { maxNetworkFeeUsd: "25.01" }, { dailyNetworkFeeUsd: "101" },
  { allowedNetworks: null }, { allowedNetworks: ["eip155:31337", "eip155:1"] }, { allowedAssets: [ADA] },
  { allowedRecipients: null }, { allowedContracts: [{ address: ADA, methods: null }] },
  { allowedContracts: [{ address: ADA, methods: ["transferFrom"] }] }, { signatures: { messages: true } },
  { signatures: { typedDataContracts: [ADA] } }, { signatures: null }, { approval: { aboveUsd: "11" } },
  { approval: { always: false } }, { approval: { requiredApprovals: 1 } },
  { approval: { initiatorMayApprove: true } }, { approval: { policyChanges: false } }, { approval: null },
];

test("lets no change loosen a guarded policy by itself, in any field", async () => {
  const { change } = await makeWallet(GUARDED);
  const answers = await Promise.all(LOOSENING.map((changes) => change({ ifVersion: 1, ...changes })));
  expect(answers.map(({ body }) => body.error?.code)).toEqual(LOOSENING.map(() => "approval_required"));
});

test("lets a guarded policy be tightened at once", async () => {
  const { change } = await makeWallet(GUARDED);
  const tightened = await change({
    ifVersion: 1,
    maxPerTransactionUsd: "99",
    maxNetworkFeeUsd: "24",
    allowedNetworks: [],
    allowedRecipients: [],
    allowedContracts: [],
    approval: { aboveUsd: "0", requiredApprovals: 3 },
  });
  expect(tightened.status).toBe(200);
});

test("counts a list that vouches for undecodable calls as loosening where amounts are limited", async () => {
  const { change } = await makeWallet({ dailyLimitUsd: "5", approval: { policyChanges: true } });
  const { body } = await change({ ifVersion: 1, allowedContracts: [{ address: ADA, methods: null }] });
  expect(body.error.code).toBe("approval_required");
});

test("loosens with an approval by as many others as the policy asks for, once and for that version", async () => {
  const { key, wallet } = await makeWallet();
  const [first, second] = [await api.createChild(key), await api.createChild(key)];
  const third = await api.createChild(key);
  const change = (body: Record<string, unknown>, approvalId?: string) =>
    api.send("PATCH", `/v1/wallets/${wallet.id}/policy${approvalId ? `?approvalId=${approvalId}` : ""}`, {
      key: first.key,
      body,
    });
  const guarded = { dailyLimitUsd: "500", approval: { requiredApprovals: 2, policyChanges: true } };
  expect((await change({ ifVersion: 1, ...guarded })).status).toBe(200);
  const loosening = { ifVersion: 2, dailyLimitUsd: "1000" };
  const input = { walletId: wallet.id, ...loosening };
  const asked = await api.send("POST", "/v1/approvals/service-actions", {
    key: first.key,
    body: { serviceId: "managed-wallets", operationId: "policy.update", input },
  });
  const { approval } = asked.body;
  expect(approval).toMatchObject({
    requiredApprovals: 2,
    initiatorMayApprove: false,
    approvers: null,
    summary: `Loosen the policy of wallet Shop (${wallet.address}): dailyLimitUsd from "500" to "1000".`,
  });
  expect((await decide(api, first.key, approval)).body.error.code).toBe("policy_denied");
  await decide(api, second.key, approval);
  expect((await change(loosening, approval.id)).body.error.code).toBe("approval_required");
  expect((await decide(api, third.key, approval)).body.approval.status).toBe("approved");
  expect((await change({ ...loosening, dailyLimitUsd: "9000" }, approval.id)).body.error.code).toBe(
    "approval_required",
  );
  expect((await change(loosening, approval.id)).body.wallet.policy).toMatchObject({
    version: 3,
    dailyLimitUsd: "1000",
  });
  expect((await change(loosening, approval.id)).body.error.code).toBe("state_conflict");
});

test("compares long lists of contracts at a cost like that of reading them", async () => {
  const methods = Array.from({ length: 200 }, (_, nth) => `method${nth}`);
  const allowedContracts = Array.from({ length: 200 }, (_, nth) => ({
    address: `0x${nth.toString(16).padStart(40, "0")}`,
    methods,
  }));
  const createdAtMs = threadMs();
  const { change } = await makeWallet({ allowedContracts, approval: { policyChanges: true } });
  const createMs = threadMs() - createdAtMs;
  const changedAtMs = threadMs();
  expect((await change({ ifVersion: 1, allowedContracts: allowedContracts.toReversed() })).status).toBe(200);
  expect(threadMs() - changedAtMs).toBeLessThan(5 * createMs);
});
