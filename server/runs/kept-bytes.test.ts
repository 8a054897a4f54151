import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { testSettings } from "#server/testing/settings.ts";
import { storedBytes } from "#server/testing/stored-bytes.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { createStarter } from "#server/testing/workflows.ts";

const MB = 1_048_576;
const BUDGET = 2 * MB;
/** The bytes that steps which are running when the budget is full may still add: one run with one step of half a MB. */
const SLACK = MB;

const api = await startApi({
  settings: {
    storage: { ...testSettings("").storage, runsBytes: BUDGET },
  },
});
const runs = await startRuns(api);
afterAll(() => runs.stop());
const big = "x".repeat(MB / 2);
const peer = await startPeer(() => ({ body: { big } }));

const keptBy = (accountId: string) => storedBytes(api, accountId, "runs");

const later = new Date(Date.now() + 86_400_000).toISOString();

/** Creates a run that waits until tomorrow, with an input of about so many bytes. */
function keep(key: string, bytes: number): Promise<Answered> {
  const input = { content: "x".repeat(bytes) };
  const body = { serviceId: "managed-memory", operationId: "put", input, startAt: later };
  const idempotencyKey = unique("keep");
  return untilAnswered(() => api.send("POST", "/v1/runs", { key, body, idempotencyKey }));
}

function forget(key: string, id: string): Promise<Answered> {
  const idempotencyKey = unique("forget");
  return untilAnswered(() => api.send("POST", `/v1/runs/${id}/forget`, { key, body: {}, idempotencyKey }));
}

const faults = () => keptBytesFaults(api.platform.database.db);

test("lets parallel calls together fill the budget of runs and never pass it", async () => {
  const { key, accountId } = await api.createRootKey();
  const other = await api.createRootKey();
  const answers = await Promise.all(Array.from({ length: 60 }, () => keep(key, 60_000)));
  const created = answers.filter(({ status }) => status === 202);
  const [refused] = answers.filter(({ status }) => status === 403);
  expect(created).toHaveLength(Math.floor(BUDGET / 60_014));
  expect(refused?.body.error).toMatchObject({
    code: "quota_exceeded",
    operationState: "not_started",
    retryable: false,
    message: `The account's runs take ${34 * 60_014} of ${BUDGET} bytes; 60014 more have no room. Forget ended runs that are not needed: POST /v1/runs/{runId}/forget.`,
  });
  expect(await keptBy(accountId)).toBe(34 * 60_014);
  expect(await faults()).toEqual([]);
  expect((await keep(other.key, 60_000)).status).toBe(202);
  expect(await keptBy(other.accountId)).toBe(60_014);
});

test("frees the bytes of a forgotten run, once, and accepts new runs again", async () => {
  const { key, accountId } = await api.createRootKey();
  const [first] = [
    await keep(key, 60_000),
    ...(await Promise.all(Array.from({ length: 33 }, () => keep(key, 60_000)))),
  ];
  const { id } = first?.body.run ?? {};
  expect((await keep(key, 60_000)).status).toBe(403);
  expect((await forget(key, id)).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
    message: `Run ${id} is queued. Only a run that has ended can be forgotten; cancel it first.`,
  });
  await api.mustSend(202, "POST", `/v1/runs/${id}/cancel`, { key, body: {} });
  const [one, two] = await Promise.all([forget(key, id), forget(key, id)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body.run).toMatchObject({ id, status: "cancelled", input: null, keptBytes: 0 });
  expect(one.body.run.forgottenAt).toBe(two.body.run.forgottenAt);
  expect(await keptBy(accountId)).toBe(33 * 60_014);
  expect((await keep(key, 60_000)).status).toBe(202);
  expect(await faults()).toEqual([]);
});

test("ends a run whose step exceeds the budget, and keeps the step's output", async () => {
  const starter = await createStarter(api);
  const { accountId } = starter;
  const connectionId = await starter.connect(peer.host);
  const fetchIt = (nth: number) => ({
    id: `fetch${nth}`,
    type: "http",
    connectionId,
    method: "GET",
    url: peer.origin,
  });
  const calls = peer.received.length;
  const failed = await starter.fail(Array.from({ length: 8 }, (_, nth) => fetchIt(nth)));
  expect(failed.error).toMatchObject({ code: "quota_exceeded", step: null });
  expect(failed.error.message).toContain(`more than the ${BUDGET} bytes`);
  const done = failed.timeline.filter(
    ({ type, data }: { type: string; data: { status?: string } }) =>
      type === "step" && data.status === "succeeded",
  );
  expect(done).toHaveLength(peer.received.length - calls);
  expect(done.length).toBeLessThan(8);
  const kept = await keptBy(accountId);
  expect(kept).toBeGreaterThan(BUDGET);
  expect(kept).toBeLessThan(BUDGET + SLACK);
  const again = { name: "Test", steps: [fetchIt(0)] };
  const body = { serviceId: "managed-workflows", operationId: "execute", input: { workflow: again } };
  const refused = await api.send("POST", "/v1/runs", { key: starter.key, body });
  expect(refused.body.error).toMatchObject({ status: 403, code: "quota_exceeded" });
  expect(await faults()).toEqual([]);
  expect((await forget(starter.root, failed.id)).status).toBe(200);
  expect(await keptBy(accountId)).toBe(0);
  expect((await api.send("POST", "/v1/runs", { key: starter.key, body })).status).toBe(202);
});

test("answers a clear conflict to calls that need the payload of a forgotten run", async () => {
  const { root, run } = await createStarter(api);
  const { id } = await run([{ id: "greet", type: "wait", seconds: 0 }], { who: "Ada" });
  const { body } = await forget(root, id);
  expect(body.run).toMatchObject({
    status: "succeeded",
    input: null,
    result: null,
    name: null,
    chargedCredits: 2,
  });
  expect(new Set(body.run.timeline.map(({ type }: { type: string }) => type))).toEqual(new Set(["state"]));
  const message = `Run ${id} was forgotten at ${body.run.forgottenAt}: its input and its steps' answers are gone. Start a new run.`;
  const refusals = await Promise.all([
    api.send("POST", `/v1/runs/${id}/retry`, { key: root, body: {} }),
    api.send("POST", `/v1/runs/${id}/retry`, { key: root, body: { fromStep: "steps.greet" } }),
    api.send("POST", `/v1/runs/${id}/steps/test`, { key: root, body: { step: "greet" } }),
  ]);
  expect(refusals.map(({ status, body }) => [status, body.error.code, body.error.message])).toEqual(
    refusals.map(() => [409, "state_conflict", message]),
  );
  const { auditEvents } = (await api.send("GET", "/v1/audit-events?operation=runs.forget", { key: root }))
    .body;
  expect(auditEvents).toMatchObject([{ resource: id, outcome: "allowed" }]);
});

test("forgets many runs, and says of each that is under way why not", async () => {
  const { key } = await api.createRootKey();
  const ids = (await Promise.all([keep(key, 5000), keep(key, 5000)])).map(({ body }) => body.run.id);
  await api.mustSend(202, "POST", `/v1/runs/${ids[0]}/cancel`, { key, body: {} });
  const { body } = await api.send("POST", "/v1/runs/bulk", { key, body: { action: "forget", runIds: ids } });
  expect(body.results).toMatchObject([
    { runId: ids[0], ok: true, newRunId: null, error: null },
    { runId: ids[1], ok: false, error: { code: "state_conflict" } },
  ]);
});

test("forgets no run of another account, project or narrower key", async () => {
  const { key } = await api.createRootKey();
  const other = await api.createRootKey();
  const { id } = (await keep(key, 2000)).body.run;
  await api.mustSend(202, "POST", `/v1/runs/${id}/cancel`, { key, body: {} });
  const reader = await api.createChild(key, { label: unique("reader"), scopes: ["runs:read"] });
  expect((await forget(other.key, id)).body.error.code).toBe("not_found");
  expect((await forget(reader.key, id)).body.error.code).toBe("scope_missing");
  expect((await api.send("GET", `/v1/runs/${id}`, { key })).body.run.forgottenAt).toBeNull();
});

test("counts a replaced input and a retry's copied steps", async () => {
  const starter = await createStarter(api);
  const put = (bytes: number) =>
    api.mustSend(202, "POST", "/v1/runs", {
      key: starter.root,
      body: {
        serviceId: "managed-memory",
        operationId: "put",
        input: { content: "x".repeat(bytes) },
        debounce: { key: "one", seconds: 3600 },
      },
    });
  const sizes = [];
  for (const bytes of [50_000, 3000, 20_000]) {
    await put(bytes);
    sizes.push(await keptBy(starter.accountId));
  }
  expect(sizes).toEqual([50_014, 3014, 20_014]);
  const steps = [
    {
      id: "first",
      type: "http",
      connectionId: await starter.connect(peer.host),
      method: "GET",
      url: peer.origin,
    },
    { id: "second", type: "wait", seconds: 0 },
  ];
  const { id } = await starter.run(steps);
  const before = await keptBy(starter.accountId);
  const { run } = await api.mustSend(202, "POST", `/v1/runs/${id}/retry`, {
    key: starter.key,
    body: { fromStep: "steps.second" },
  });
  await runWith(api, starter.root, run.id, "succeeded");
  expect(await keptBy(starter.accountId)).toBeGreaterThan(before + MB / 2);
  expect(await faults()).toEqual([]);
});

test("frees the bytes that privacy tiers purge, and those of dropped runs", async () => {
  const { db } = api.platform.database;
  const { key, accountId } = await api.createRootKey();
  const tiers = ["private", "strict"].map((privacyTier) =>
    api.createChild(key, { label: privacyTier, privacyTier }),
  );
  const keys = [key, ...(await Promise.all(tiers)).map(({ key }) => key)];
  const made = await Promise.all(keys.map((each) => keep(each, 50_000)));
  expect(await keptBy(accountId)).toBeGreaterThan(3 * 50_014);
  for (const { body } of made)
    await api.mustSend(202, "POST", `/v1/runs/${body.run.id}/cancel`, { key, body: {} });
  // The strict run's input was deleted when it ended.
  expect(await keptBy(accountId)).toBe(2 * 50_014);
  await db.execute(sql`select purge_runs(now() + interval '1 hour', 1000)`);
  expect(await keptBy(accountId)).toBe(50_014);
  expect(await faults()).toEqual([]);
  await db.execute(sql`select drop_runs(uuid_floor(now() + interval '1 hour'))`);
  expect(await keptBy(accountId)).toBe(0);
  expect(await faults()).toEqual([]);
});

test("deletes a large run in parts, and shows nothing of it meanwhile", async () => {
  const { root, accountId, ...starter } = await createStarter(api);
  const connectionId = await starter.connect(peer.host);
  const each = { type: "http", connectionId, method: "GET", url: peer.origin };
  const { id } = await starter.run([1, 2, 3].map((nth) => ({ id: `fetch${nth}`, ...each })));
  const run = { accountId: uuidOf("account", accountId), id: uuidOf("run", id) };
  const { db } = api.platform.database;
  await db.execute(sql`select forget_run(${run.accountId}, ${run.id})`);
  const { cookie } = await signInMember(api, accountId, "viewer");
  const step = await caller(api, cookie).query("runs.steps.read", { runId: id, name: "steps.fetch1" });
  expect(step.error).toMatchObject({ code: "state_conflict" });
  const left = [await keptBy(accountId)];
  for (let more = true; more; left.push(await keptBy(accountId))) {
    const [row] = await db.execute<{ more: boolean }>(
      sql`select forget_steps(${run.accountId}, ${run.id}, ${1}) as more`,
    );
    more = row?.more === true;
    expect(await faults()).toEqual([]);
  }
  expect(left.map((bytes) => Math.round(bytes / (MB / 2)))).toEqual([3, 2, 1, 0]);
  expect((await forget(root, id)).body.run).toMatchObject({ keptBytes: 0 });
});
