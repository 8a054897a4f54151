import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { askToDelete, decide, deleteApproved } from "#server/testing/approvals.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { listen } from "#server/testing/events.ts";
import { createWebhook, queuedFor } from "#server/testing/webhooks.ts";
import { expireApprovals } from "./expire-approvals.ts";

const api = await startApi();
const { db } = api.platform.database;
const POLICY = { scopes: ["approvals:read", "approvals:write"] };

/** Creates a paying key of an account that subscribes to every event. */
async function createListener(body: Record<string, unknown> = {}) {
  const root = await createPayingKey(api, 10, body);
  await listen(api, root.accountId);
  return root;
}

async function approvalEvents(accountId: string) {
  const rows = await db.query.outbox.findMany({
    where: (row, { eq }) => eq(row.accountId, accountId),
    orderBy: (row) => row.id,
  });
  return rows
    .map(({ payload }) => JSON.parse(payload))
    .filter(({ type }) => type.startsWith("approval."))
    .map(({ type, sequence, data }) => ({ type, sequence, ...data.approval }));
}

test("emits one event for a request and one for a decision, however many approvers there are", async () => {
  const { key, accountId } = await createListener();
  const { key: other } = await api.createChild(key, POLICY);
  const { key: third } = await api.createChild(key, POLICY);
  await invokeMemory(api, key, "put", { name: "a", content: "a" });
  const { approval } = (await askToDelete(api, key, { name: "a" }, { requiredApprovals: 2 })).body;
  for (const approver of [other, third]) await decide(api, approver, approval);
  await deleteApproved(api, key, { name: "a" }, approval.id);
  expect(await approvalEvents(accountId)).toMatchObject([
    { type: "approval.requested", sequence: 1, id: approval.id, status: "pending", decisions: [] },
    { type: "approval.decided", sequence: 2, id: approval.id, status: "approved", decisions: [{}, {}] },
  ]);
});

test("emits one event for an expired approval", async () => {
  const { key, accountId } = await createListener();
  const { approval } = (await askToDelete(api, key, { name: "a" })).body;
  await db.execute(sql`update approvals set expires_at = now() - interval '1 second'`);
  await Promise.all([expireApprovals(db), expireApprovals(db)]);
  expect(await approvalEvents(accountId)).toMatchObject([
    { type: "approval.requested" },
    { type: "approval.expired", sequence: 2, id: approval.id, status: "expired" },
  ]);
});

test.each(["private", "strict"])(
  "keeps nothing of the input of a %s key beside the payload",
  async (privacyTier) => {
    const { key } = await createPayingKey(api, 10, { privacyTier });
    const { webhook } = await createWebhook(api, key, "https://example.com/hook", ["approval.*"]);
    const input = { name: "Ada Lovelace" };
    await invokeMemory(api, key, "put", { ...input, content: "a" });
    const { approval } = (await askToDelete(api, key, input)).body;
    expect(approval).toMatchObject({ summary: "Delete a memory (Managed memory).", payload: { input } });
    await decide(api, key, approval);
    await deleteApproved(api, key, input, approval.id);
    const read = (path: string) => api.mustSend(200, "GET", path, { key });
    const settled = await read(`/v1/approvals/${approval.id}`);
    expect(settled.approval.status).toBe("consumed");
    expect((await queuedFor(api, key, webhook.id)).sort()).toEqual([
      "approval.decided",
      "approval.requested",
    ]);
    const { deliveries } = await read(`/v1/webhook-deliveries?webhookId=${webhook.id}`);
    const sent = await Promise.all(
      deliveries.map(({ id }: { id: string }) => read(`/v1/webhook-deliveries/${id}`)),
    );
    expect(sent.map(({ payload }) => JSON.parse(payload).data.approval.id)).toEqual([
      approval.id,
      approval.id,
    ]);
    expect(JSON.stringify([settled, sent])).not.toContain("Lovelace");
  },
);

test("leaves no input of a private key in an event", async () => {
  const { key, accountId } = await createListener({ privacyTier: "private" });
  const { approval } = (await askToDelete(api, key, { name: "a" })).body;
  expect(approval.payload).toMatchObject({ input: { name: "a" } });
  expect(await approvalEvents(accountId)).toMatchObject([{ payload: null }]);
});
