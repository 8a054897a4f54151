import { expect, onTestFinished, test } from "vitest";
import { grantCredits } from "#server/credits/post-credits.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();

/** Starts a worker until the test ends: before that, nothing starts, however late it is. */
async function startWorker() {
  const worker = await startRuns(api);
  onTestFinished(() => worker.stop());
}

const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Later." } };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

test("starts a run when it is to, and holds nothing until then", async () => {
  const { key } = await createPayingKey(api, 100);
  const startAt = inSeconds(4);
  const { body, status } = await createRun(api, key, { ...put, startAt });
  expect({ status, run: body.run }).toMatchObject({
    status: 202,
    run: { status: "queued", startsAt: startAt, startedAt: null },
  });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  await startWorker();
  const run = await runWith(api, key, body.run.id, "succeeded");
  expect(Date.parse(run.startedAt)).toBeGreaterThanOrEqual(Date.parse(startAt));
  expect(run.chargedCredits).toBe(1);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 99, reservedCredits: 0 });
  const past = await createRun(api, key, { ...put, startAt: "2020-01-01T00:00:00.000Z" });
  await runWith(api, key, past.body.run.id, "succeeded");
});

test("refuses a start more than a year ahead", async () => {
  const { key } = await createPayingKey(api, 100);
  const refused = await createRun(api, key, { ...put, startAt: inSeconds(31_536_100) });
  expect(refused).toMatchObject({ status: 400, body: { error: { issues: [{ path: "body.startAt" }] } } });
});

test("counts a run as live from its start on, and lets it be cancelled before", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key } = await api.createChild(root, { limits: { "runs.create": { maxConcurrent: 1 } } });
  const later = await createRun(api, key, { ...put, startAt: inSeconds(3600) });
  const now = await createRun(api, key, put);
  expect([later.status, now.status]).toEqual([202, 202]);
  const cancelled = await api.send("POST", `/v1/runs/${later.body.run.id}/cancel`, { key, body: {} });
  expect(cancelled.body.run).toMatchObject({ status: "cancelled", chargedCredits: 0 });
  await startWorker();
  await runWith(api, key, now.body.run.id, "succeeded");
});

test("waits for credits at its start, and continues when there are some", async () => {
  const { key, accountId } = await api.createRootKey();
  const { body } = await createRun(api, key, { ...put, startAt: inSeconds(4) });
  await startWorker();
  const read = async () => (await api.send("GET", `/v1/runs/${body.run.id}`, { key })).body.run;
  await expect
    .poll(async () => (await read()).timeline.at(-1))
    .toMatchObject({
      type: "log",
      level: "warn",
      data: { code: "insufficient_credits" },
    });
  expect((await read()).status).toBe("queued");
  const grant = { accountId, credits: 5, reference: unique("grant"), description: "For a test" };
  await api.platform.database.db.transaction((tx) => grantCredits(tx, grant));
  expect((await runWith(api, key, body.run.id, "succeeded")).chargedCredits).toBe(1);
});

test("fails at its start where its key was revoked meanwhile", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key, apiKey } = await api.createChild(root);
  const { body } = await createRun(api, key, { ...put, startAt: inSeconds(4) });
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: root });
  await startWorker();
  expect((await runWith(api, root, body.run.id, "failed")).error.code).toBe("api_key_revoked");
});
