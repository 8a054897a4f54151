import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, createRun, endWait, play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { db } = api.platform.database;
const worker = await startRuns(api);
afterAll(() => worker.stop());

const cancel = (key: string, id: string) => api.send("POST", `/v1/runs/${id}/cancel`, { key, body: {} });
const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

/** Waits until a step of the run is executing. */
async function until(key: string, id: string, step: string): Promise<void> {
  await expect
    .poll(async () => {
      const { run } = (await api.send("GET", `/v1/runs/${id}`, { key })).body;
      return run.timeline.map((entry: { step: string | null }) => entry.step);
    })
    .toContain(step);
}

test("cancels a running run by aborting its step, in two phases, and lists its completed steps", async () => {
  const { key } = await createPayingKey(api, 100);
  const id = await play(api, key, [
    { do: "step", name: "first" },
    { do: "hang", name: "stuck" },
    { do: "step", name: "never" },
  ]);
  await until(key, id, "stuck");
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 80, reservedCredits: 20 });
  const asked = await cancel(key, id);
  expect([asked.status, asked.body.run.status]).toEqual([202, "cancelling"]);
  const run = await runWith(api, key, id, "cancelled");
  expect(run.error).toEqual({ code: "cancelled", message: "The run was cancelled.", step: null });
  expect(run.timeline.at(-2)).toMatchObject({ data: { status: "cancelling" } });
  expect(run.timeline.at(-1)).toMatchObject({ data: { status: "cancelled", finishedSteps: ["first"] } });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  expect((await cancel(key, id)).status).toBe(200);
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toEqual([{ name: "first" }]);
});

test("cancels a run that waits at once, and refuses to cancel one that has ended", async () => {
  const { key } = await createPayingKey(api, 100);
  const waiting = await play(api, key, [{ do: "wait", name: "long", seconds: 3600 }]);
  await until(key, waiting, "long");
  await expect.poll(async () => (await cancel(key, waiting)).body.run.status).toBe("cancelled");
  const done = await play(api, key, []);
  await runWith(api, key, done, "succeeded");
  const refused = await cancel(key, done);
  expect(refused.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("ends a run that is not done in its time, whether it waits or is under way", async () => {
  const { key } = await createPayingKey(api, 100);
  const ids = [
    await play(api, key, [{ do: "wait", name: "long", seconds: 3600 }], { expiresInSeconds: 60 }),
    await play(api, key, [{ do: "hang", name: "stuck" }], { expiresInSeconds: 60 }),
  ];
  await until(key, defined(ids[0]), "long");
  await until(key, defined(ids[1]), "stuck");
  // As if the minute had passed; the worker that has claimed the second run notices when it claims it again.
  await db.execute(sql`update runs set expires_at = now(), fence = fence + 1, worker = null,
    ready_at = case when worker is not null then now() end where finished_at is null`);
  const runs = await Promise.all(ids.map((id) => runWith(api, key, id, "expired")));
  expect(runs.map(({ error }) => error.code)).toEqual(["expired", "expired"]);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
});

test("retries a failed run as often as requested, without repeating completed steps", async () => {
  const { key } = await createPayingKey(api, 100);
  const actions = [
    { do: "charge", credits: 3 },
    { do: "step", name: "once" },
    { do: "log", message: "on the way" },
    { do: "progress", fraction: 0.5 },
    { do: "fail", name: "shaky", times: 1 },
  ];
  const id = await play(api, key, actions, { maxAttempts: 2 });
  const run = await runWith(api, key, id, "succeeded");
  expect(run).toMatchObject({ attempt: 2, maxAttempts: 2, chargedCredits: 3 });
  expect(
    run.timeline.map(({ type, step, level }: Record<string, string>) => [type, step, level].join(" ")),
  ).toEqual([
    "state  info",
    "state  info",
    "step once info",
    "log  info",
    "progress  info",
    "step shaky error",
    "retry shaky warn",
    "state  info",
    "state  info",
    "step shaky info",
    "state  info",
  ]);
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toHaveLength(1);
  const failing = await play(api, key, [{ do: "fail", name: "broken", times: 9 }]);
  const failed = await runWith(api, key, failing, "failed");
  expect(failed.error).toEqual({
    code: "service_failed",
    message: "The step was told to fail.",
    step: "broken",
  });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 97, reservedCredits: 0 });
});

test("waits for people to approve, and for a minute's limit, without holding a worker", async () => {
  const { key } = await createPayingKey(api, 100);
  const approver = await api.createChild(key);
  const starter = await api.createChild(key);
  const id = await play(api, starter.key, [{ do: "approval", name: "gate" }]);
  const waiting = await runWith(api, key, id, "awaiting_approval");
  const { approvalId } = waiting.timeline.find(({ step }: { step: string }) => step === "gate").data;
  const { approvals } = (await api.send("GET", `/v1/approvals?id=${approvalId}`, { key })).body;
  const decision = { decision: "approve", payloadHash: approvals[0].payloadHash };
  const path = `/v1/approvals/${approvalId}`;
  expect((await api.send("POST", path, { key: starter.key, body: decision })).status).toBe(403);
  const decided = await api.send("POST", path, { key: approver.key, body: decision });
  expect(decided.status).toBe(200);
  expect((await runWith(api, key, id, "succeeded")).result.results).toEqual([{ id: approvalId }]);

  const limited = await api.createChild(key, { limits: { "projects.create": { requestsPerMinute: 1 } } });
  const make = (name: string) => ({ do: "call", name, operationId: "projects.create", body: { name } });
  const second = await play(api, limited.key, [make("one"), make("two")]);
  // Under load, the run is also seen while the step is sent.
  await expect
    .poll(async () => (await api.send("GET", `/v1/runs/${second}`, { key })).body.run.timeline.at(-1))
    .toMatchObject({ step: "two", data: { status: "waiting" } });
  // The worker first gets the request to stop, and then leaves the run.
  await expect
    .poll(() =>
      db.execute(sql`select worker from runs where id = ${uuidOf("run", second)} and wake_at > now()`),
    )
    .toEqual([{ worker: null }]);
});

test("acts as the key that created it, at the time it acts: a revoked one fails the run", async () => {
  const { key } = await createPayingKey(api, 100);
  const reader = await api.createChild(key, { scopes: ["runs:write", "runs:read", "projects:read"] });
  const create = { do: "call", name: "create", operationId: "projects.create", body: { name: "Not mine" } };
  const refused = await runWith(api, key, await play(api, reader.key, [create]), "failed");
  expect(refused.error).toMatchObject({ code: "scope_missing", step: "create" });

  const child = await api.createChild(key);
  const list = { do: "call", name: "list", operationId: "projects.list" };
  const id = await play(api, child.key, [{ do: "wait", name: "pause", seconds: 3600 }, list]);
  await until(key, id, "pause");
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await endWait(api, id, "pause");
  expect((await runWith(api, key, id, "failed")).error.code).toBe("api_key_revoked");
});

test("acts as the member who created it, with their current role", async () => {
  const ada = await signUpAndIn(api);
  const grace = await signInMember(api, ada.accountId, "developer");
  const make = (name: string) => ({ do: "call", name, operationId: "projects.create", body: { name } });
  const started = async (actions: unknown[]) => {
    const body = { serviceId: "scripted", operationId: "play", input: { actions } };
    return (await grace.mutate("runs.create", body)).data.run.id;
  };
  const run = async (runId: string) => (await ada.query("runs.read", { runId })).data.run;
  const done = await started([make("Hers")]);
  await expect.poll(async () => (await run(done)).status).toBe("succeeded");
  const waiting = await started([{ do: "wait", name: "pause", seconds: 3600 }, make("Not hers")]);
  await expect
    .poll(async () => (await run(waiting)).timeline)
    .toContainEqual(expect.objectContaining({ step: "pause" }));
  await db.execute(sql`update members set role = 'viewer' where id = ${uuidOf("member", grace.memberId)}`);
  await endWait(api, waiting, "pause");
  await expect.poll(async () => (await run(waiting)).error?.code).toBe("scope_missing");
});

test("holds a key to its live runs, and counts one that ended no more", async () => {
  const { key } = await createPayingKey(api, 1000);
  const child = await api.createChild(key, { limits: { "runs.create": { maxConcurrent: 2 } } });
  const body = {
    serviceId: "scripted",
    operationId: "play",
    input: { actions: [{ do: "wait", name: "long", seconds: 3600 }] },
  };
  const created = await Promise.all(Array.from({ length: 6 }, () => createRun(api, child.key, body)));
  expect(created.filter(({ status }) => status === 202)).toHaveLength(2);
  const refused = created.find(({ status }) => status === 429);
  expect(refused?.body.error).toMatchObject({
    code: "limit_exhausted",
    limit: {
      operation: "runs.create",
      kind: "maxConcurrent",
      keyId: child.apiKey.id,
      limit: 2,
      resetAt: null,
    },
  });
  const one = created.find(({ status }) => status === 202)?.body.run.id;
  await expect.poll(async () => (await cancel(key, one)).body.run.status).toBe("cancelled");
  expect((await createRun(api, child.key, body)).status).toBe(202);
});

test("shows runs of services inside the key's boundary only", async () => {
  const { key } = await createPayingKey(api, 100);
  const id = await play(api, key, []);
  await runWith(api, key, id, "succeeded");
  const bounded = await api.createChild(key, { allowedServices: ["managed-memory"] });
  expect((await api.send("GET", "/v1/runs", { key: bounded.key })).body.runs).toEqual([]);
  const below = await api.createChild(bounded.key);
  const refusal = { status: 403, code: "service_not_allowed", check: "service", keyId: bounded.apiKey.id };
  const byId = await api.send("GET", `/v1/runs/${id}`, { key: below.key });
  expect(byId.body.error).toMatchObject(refusal);
  const cancelled = await cancel(below.key, id);
  expect(cancelled.body.error).toMatchObject(refusal);
  const listed = await api.send("GET", "/v1/runs?status=succeeded&serviceId=scripted", { key });
  expect(listed.body.runs.map((run: { id: string }) => run.id)).toEqual([id]);
  expect((await api.send("GET", "/v1/runs?status=failed", { key })).body.runs).toEqual([]);
});

test("refuses a run whose credits the account can't hold, without any effect", async () => {
  const { key } = await createPayingKey(api, 19);
  const input = { actions: [{ do: "step", name: "never" }] };
  const refused = await createRun(api, key, { serviceId: "scripted", operationId: "play", input });
  expect(refused.body.error).toMatchObject({ status: 402, code: "insufficient_credits" });
  expect((await api.send("GET", "/v1/runs", { key })).body.runs).toEqual([]);
});

test("seals the input of a strict key's run, and purges it when the run ends", async () => {
  const { key } = await createPayingKey(api, 100, { privacyTier: "strict" });
  const id = await play(api, key, [
    { do: "note", name: "confidential" },
    { do: "wait", name: "pause", seconds: 3600 },
  ]);
  await until(key, id, "pause");
  const stored = () =>
    db.execute<{ stored: Uint8Array | null }>(sql`
      select input as stored from runs where id = ${uuidOf("run", id)}
      union all select output from run_steps where run_id = ${uuidOf("run", id)} and name = 'confidential'`);
  const sealed = await stored();
  expect(sealed.map((row) => Buffer.from(row.stored ?? "confidential").includes("confidential"))).toEqual([
    false,
    false,
  ]);
  await endWait(api, id, "pause");
  const run = await runWith(api, key, id, "succeeded");
  expect([run.input, run.result]).toEqual([null, { results: ["confidential", null] }]);
  expect((await stored()).map((row) => row.stored)).toEqual([null, null]);
});

test("retries a run from a step on: earlier steps are kept, and not executed again", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const member = await signInMember(api, accountId, "developer");
  const actions = [
    { do: "step", name: "first" },
    { do: "step", name: "second" },
    { do: "hang", name: "stuck" },
  ];
  const before = await play(api, key, actions);
  await until(key, before, "stuck");
  const early = await member.mutate("runs.retry", { runId: before });
  expect(early).toMatchObject({ status: 409, error: { code: "state_conflict" } });
  await cancel(key, before);
  await runWith(api, key, before, "cancelled");
  const strange = await member.mutate("runs.retry", { runId: before, fromStep: "third" });
  expect(strange).toMatchObject({ status: 400, error: { issues: [{ path: "body.fromStep" }] } });

  const retried = await member.mutate("runs.retry", { runId: before, fromStep: "second" });
  expect(retried).toMatchObject({ status: 200, data: { run: { status: "queued", input: { actions } } } });
  const { id, timeline } = retried.data.run;
  expect(timeline.at(-1)).toMatchObject({
    message: `It goes on from second of ${before}.`,
    data: { retryOf: before, fromStep: "second", finishedSteps: ["first"] },
  });
  await until(key, id, "stuck");
  expect(await db.execute(sql`select name from effects where run = ${id}`)).toEqual([{ name: "second" }]);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 80, reservedCredits: 20 });
  await cancel(key, id);
  await runWith(api, key, id, "cancelled");
});
