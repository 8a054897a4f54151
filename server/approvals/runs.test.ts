import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { expireApprovals } from "./expire-approvals.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

/** Starts a run that waits for an approval. */
async function waitingRun() {
  const starter = await createStarter(api);
  const { root, start, get } = starter;
  const runId = await start({ name: "Test", steps: [{ id: "ask", type: "approval", summary: "Go on?" }] });
  await runWith(api, root, runId, "awaiting_approval");
  const read = async () => (await get("/v1/approvals")).body.approvals[0];
  return { ...starter, runId, read, approval: await read() };
}

test("continues a run after the decision that it waits for, and uses the approval up", async () => {
  const { root, approver, runId, approval, read } = await waitingRun();
  expect(approval).toMatchObject({
    kind: "workflow_step",
    runId,
    subject: { id: runId },
    initiatorMayApprove: false,
  });
  await decide(api, approver, approval);
  await runWith(api, root, runId, "succeeded");
  expect(await read()).toMatchObject({ status: "consumed" });
});

test("keeps nothing of a private key's run in its approval", async () => {
  const { key } = await createPayingKey(api, 1000, { privacyTier: "private" });
  const { key: approver } = await api.createChild(key);
  const steps = [{ id: "ask", type: "approval", summary: "Pay Ada Lovelace?" }];
  const input = { workflow: { name: "Test", steps } };
  const { key: starter } = await api.createChild(key);
  const body = { serviceId: "managed-workflows", operationId: "execute", input };
  const { run } = await api.mustSend(202, "POST", "/v1/runs", { key: starter, body });
  await runWith(api, key, run.id, "awaiting_approval");
  const read = async () => (await api.mustSend(200, "GET", "/v1/approvals", { key })).approvals[0];
  const approval = await read();
  expect(approval).toMatchObject({
    summary: `The step steps.ask of ${run.id} asks for an approval.`,
    payload: { summary: "Pay Ada Lovelace?" },
  });
  await decide(api, approver, approval);
  await runWith(api, key, run.id, "succeeded");
  expect(await read()).toMatchObject({ status: "consumed", summary: approval.summary, payload: null });
});

test("tells a run that its approval has expired", async () => {
  const { root, runId, read } = await waitingRun();
  const { db } = api.platform.database;
  await db.execute(
    sql`update approvals set expires_at = now() - interval '1 second' where status = 'pending'`,
  );
  await expireApprovals(db);
  expect((await runWith(api, root, runId, "failed")).error).toMatchObject({ code: "service_timeout" });
  expect(await read()).toMatchObject({ status: "expired" });
});

test("ends the approval of a run that is cancelled", async () => {
  const { root, approver, runId, approval, read } = await waitingRun();
  await api.send("POST", `/v1/runs/${runId}/cancel`, { key: root, body: {} });
  await runWith(api, root, runId, "cancelled");
  expect(await read()).toMatchObject({ status: "cancelled", decisions: [] });
  expect((await decide(api, approver, approval)).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
    message: `Approval ${approval.id} is cancelled; only a pending one is decided.`,
  });
});
