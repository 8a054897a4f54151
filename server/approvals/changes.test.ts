import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { askToDelete } from "#server/testing/approvals.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";

const api = await startApi();

async function account() {
  const { key, accountId } = await createPayingKey(api, 10);
  const member = await signInMember(api, accountId, "approver");
  return { key, member };
}

test("shows what a deletion removes, for the requesting project and end user", async () => {
  const { key, member } = await account();
  const headers = { "x-service-end-user": "customer-1" };
  const put = (content: string, more = {}) =>
    api.send("POST", "/v1/services/managed-memory/invoke", {
      key,
      body: { operationId: "put", input: { name: "greeting", content, tags: ["a", "b"] } },
      ...more,
    });
  expect((await put("Hello, world.")).status).toBe(200);
  expect((await put("Hello, customer", { headers })).status).toBe(200);
  const read = async (approvalId: string) =>
    (await member.query("approvals.changes.read", { approvalId })).data;
  const mine = (await askToDelete(api, key, { name: "greeting" })).body.approval;
  expect(await read(mine.id)).toMatchObject({ maximumCredits: 0 });
  expect((await read(mine.id)).changes).toEqual([
    { name: "Memory", before: "greeting", after: null },
    { name: "Characters", before: "13", after: null },
    { name: "Tags", before: "2", after: null },
  ]);
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
  const asked = await api.send("POST", "/v1/approvals/service-actions", { key, headers, body });
  expect((await read(asked.body.approval.id)).changes[1]).toEqual({
    name: "Characters",
    before: "15",
    after: null,
  });
  const eve = await signUpAndIn(api);
  expect((await eve.query("approvals.changes.read", { approvalId: mine.id })).status).toBe(404);
});

test("shows each policy rule that would change, and nothing of deleted resources", async () => {
  const { key, member } = await account();
  const policy = { dailyLimitUsd: "500", approval: { policyChanges: true } };
  const { wallet } = await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "T", policy } });
  const input = { walletId: wallet.id, ifVersion: 1, dailyLimitUsd: "1000", allowedRecipients: null };
  const body = { serviceId: "managed-wallets", operationId: "policy.update", input };
  const { approval } = await api.mustSend(201, "POST", "/v1/approvals/service-actions", { key, body });
  const { data } = await member.query("approvals.changes.read", { approvalId: approval.id });
  expect(data.changes).toEqual([{ name: "dailyLimitUsd", before: '"500"', after: '"1000"' }]);

  await invokeMemory(api, key, "put", { name: "soon gone", content: "x" });
  const asked = (await askToDelete(api, key, { name: "never there" })).body.approval;
  expect((await member.query("approvals.changes.read", { approvalId: asked.id })).data.changes).toEqual([]);
});
