import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { approvedDeletion, askToDelete, decide } from "#server/testing/approvals.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { requestApproval } from "./queries.ts";

const api = await startApi();
const { db } = api.platform.database;

function expireIn(approvalId: string, milliseconds: number) {
  return db.execute(sql`update approvals set expires_at = now() + ${milliseconds} * interval '1 millisecond'
    where id = ${uuidOf("approval", approvalId)}`);
}

/** Returns the stored status, whatever the time. */
async function written(approvalId: string): Promise<string> {
  const rows = await db.execute<{ status: string }>(
    sql`select status from approvals where id = ${uuidOf("approval", approvalId)}`,
  );
  return defined(rows[0]?.status);
}

test("expires approvals in time, including approved ones that nobody used", async () => {
  const { key } = await createPayingKey(api, 10);
  const pending = (await askToDelete(api, key, { name: "a" })).body.approval;
  const unused = await approvedDeletion(api, key, "b");
  const fresh = (await askToDelete(api, key, { name: "c" })).body.approval;
  for (const { id } of [pending, unused]) await expireIn(id, 700);
  const worker = await startJobs(api);
  await db.execute(sql`select graphile_worker.add_job('expireApprovals')`);
  // The first pass is too early for them and schedules another at the right time.
  while ((await written(unused.id)) !== "expired") await sleep(100);
  await worker.stop();
  expect([await written(pending.id), await written(fresh.id)]).toEqual(["expired", "pending"]);
});

test("does not expire an approval that the platform itself will use, however late", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const approval = await db.transaction((tx) =>
    requestApproval(tx, {
      caller: keyCaller(accountId, [apiKey.id]),
      kind: "workflow_step",
      serviceId: "managed-workflows",
      subject: { operationId: "execute" },
      summary: "Go on.",
      payload: {},
      initiatorMayApprove: true,
    }),
  );
  await decide(api, key, approval);
  await expireIn(approval.id, -1000);
  await expireApprovals(db);
  const { body } = await api.send("GET", `/v1/approvals?id=${approval.id}`, { key });
  expect(body.approvals).toMatchObject([{ status: "approved" }]);
});

test("either decides or expires, never both", async () => {
  const { key } = await api.createRootKey();
  const asked = await Promise.all(
    Array.from(
      { length: 30 },
      async (_, nth) => (await askToDelete(api, key, { name: `${nth}` })).body.approval,
    ),
  );
  for (const [nth, { id }] of asked.entries()) await expireIn(id, 20 * nth);
  const sweeping = Promise.all(
    Array.from({ length: 20 }, (_, nth) => sleep(nth * 30).then(() => expireApprovals(db))),
  );
  const answers = await Promise.all(asked.map((approval) => decide(api, key, approval)));
  await sweeping;
  const { body } = await api.send("GET", "/v1/approvals?limit=100", { key });
  const found: { id: string; status: string; decisions: unknown[] }[] = body.approvals;
  const decided = asked.filter((_, nth) => answers[nth]?.status === 200).map(({ id }) => id);
  expect(answers.map(({ status }) => status)).toContain(409);
  const idsOf = (approvals: typeof found) => approvals.map(({ id }) => id).sort();
  expect(idsOf(found.filter(({ decisions }) => decisions.length === 1))).toEqual(decided.sort());
  expect(
    idsOf(found.filter(({ decisions, status }) => decisions.length === 0 && status === "expired")),
  ).toEqual(
    asked
      .map(({ id }) => id)
      .filter((id) => !decided.includes(id))
      .sort(),
  );
});
