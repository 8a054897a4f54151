import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { approvedDeletion, deleteApproved } from "#server/testing/approvals.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import { testSettings } from "#server/testing/settings.ts";
import { storedBytes } from "#server/testing/stored-bytes.ts";
import { invokeWorkflows } from "#server/testing/stored-workflows.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const BUDGET = 100_000;
const storage = { ...testSettings("").storage, memoriesBytes: BUDGET, workflowsBytes: BUDGET };
const api = await startApi({ settings: { storage } });
const faults = () => keptBytesFaults(api.platform.database.db);

test("lets parallel writers together fill the budget of memories, and frees replaced and deleted ones", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const put = (name: string, bytes: number) => {
    const idempotencyKey = unique("put");
    const content = "x".repeat(bytes);
    return untilAnswered(() => invokeMemory(api, key, "put", { name, content }, { idempotencyKey }));
  };
  /** Returns the bytes of a memory with this content: including its empty metadata and its row. */
  const bytesOf = (content: number) => content + 2 + 512;
  const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => put(`memory ${nth}`, 5000)));
  const most = Math.floor(BUDGET / bytesOf(5000));
  const made = answers.flatMap(({ status, body }) => (status === 200 ? [body.result.memory.name] : []));
  expect(made).toHaveLength(most);
  expect(answers.find(({ status }) => status !== 200)?.body.error).toMatchObject({
    status: 403,
    code: "quota_exceeded",
    operationState: "not_started",
    message: `The account's memories take ${most * bytesOf(5000)} of ${BUDGET} bytes; ${bytesOf(5000)} more have no room. Delete memories that are not needed: managed-memory delete.`,
  });
  expect(await storedBytes(api, accountId, "memories")).toBe(most * bytesOf(5000));
  expect((await put(made[0], 100)).status).toBe(200);
  expect(await storedBytes(api, accountId, "memories")).toBe((most - 1) * bytesOf(5000) + bytesOf(100));
  expect((await put("another", 4000)).status).toBe(200);
  const { id } = await approvedDeletion(api, key, made[1]);
  expect((await deleteApproved(api, key, { name: made[1] }, id)).status).toBe(200);
  expect(await faults()).toEqual([]);
});

test("holds stored workflows to their budget, for each version that is kept", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const put = (seconds: number) => {
    const steps = [
      { id: "note", type: "artifact", name: "a.txt", mediaType: "text/plain", content: "x".repeat(3000) },
      { id: "pause", type: "wait", seconds },
    ];
    return invokeWorkflows(api, key, "put", { name: "kept", workflow: { name: "Kept", steps } });
  };
  const answers = [];
  for (let nth = 0; nth < 40; nth++) answers.push(await put(nth));
  const stored = answers.filter(({ status }) => status === 200);
  expect(stored.length).toBeGreaterThan(20);
  expect(stored.length).toBeLessThan(30);
  expect(answers.at(-1)?.body.error).toMatchObject({ status: 403, code: "quota_exceeded" });
  expect(answers.at(-1)?.body.error.message).toMatch(
    /^The account's workflows take \d+ of 100000 bytes; \d+ more have no room\. /,
  );
  expect(await storedBytes(api, accountId, "workflows")).toBeLessThanOrEqual(BUDGET);
  expect(await faults()).toEqual([]);
});

test("makes a writer near the budget wait for a concurrent one", async () => {
  const account = uuidOf("account", (await api.createRootKey()).accountId);
  const sessions = [1, 2].map(() => postgres(api.databaseUrl, { max: 1 }));
  onTestFinished(async () => void (await Promise.all(sessions.map((session) => session.end()))));
  const take = (on: postgres.TransactionSql) =>
    on<{ used: number | null }[]>`select take_bytes(${account}, 'events', 60000, 60000, 100000)::int as used`;
  const [first, second] = sessions as [postgres.Sql, postgres.Sql];
  const taken = await first.begin(async (tx) => {
    const [one] = await take(tx);
    const [backend] = await second<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const other = second.begin((tx) => take(tx));
    await expect
      .poll(async () => {
        const [row] = await tx`select wait_event from pg_stat_activity where pid = ${backend?.pid ?? 0}`;
        return row?.wait_event;
      })
      .toBe("advisory");
    return { one: one?.used, other };
  });
  expect(taken.one).toBeNull();
  expect(await taken.other).toEqual([{ used: 60_000 }]);
});
