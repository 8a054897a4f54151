import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { eventually } from "#server/testing/eventually.ts";

/** Commits with a single statement. */
const commitAtOnce = operation({
  id: "test.commitAtOnce",
  method: "POST",
  path: "/test/commit-at-once",
  summary: "Commit at once",
  scope: "projects:write",
  idempotent: true,
  external: "reads",
  output: z.object({ done: z.boolean() }),
  async handler({ commit }) {
    await commit.batch({ done: true }, {});
    return { done: true };
  },
});

let end = () => {};
/** Lasts until the test calls `end`. */
const underWay = operation({
  id: "test.underWay",
  method: "GET",
  path: "/test/under-way",
  summary: "Last until told to end",
  scope: "projects:read",
  output: z.object({}),
  handler: () =>
    new Promise<Record<string, never>>((resolve) => {
      end = () => resolve({});
    }),
});

const cluster = await startTestCluster();
const api = await startApi({ database: cluster, extra: [commitAtOnce, underWay] });

const list = (key: string) => api.send("GET", "/v1/projects", { key });

/** Repeats a call until it has this status; returns the response. */
async function until(status: number, key: string) {
  for (;;) {
    const answer = await list(key);
    if (answer.status === status) return answer;
    await sleep(10);
  }
}

/** Repeats calls until every connection of the pools has reconnected. */
async function untilSteady(key: string) {
  await until(200, key);
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => list(key)));
    if (answers.every((answer) => answer.status === 200)) return;
    await sleep(20);
  }
}

/**
 * Repeats a call until it succeeds: a connection that has not reconnected yet refuses, and says that repeating is safe.
 */
async function insist(call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await sleep(20);
  }
}

test("answers 503 naming the database while it is gone, and is well again when it returns", async () => {
  const { key } = await api.createRootKey();
  expect((await list(key)).status).toBe(200);
  cluster.kill();
  const refused = await until(503, key);
  expect(refused.body).toMatchObject({
    ok: false,
    error: {
      code: "service_unavailable",
      message: "The platform's database (DATABASE_URL) is not available.",
      retryable: true,
      operationState: "not_started",
    },
  });
  await untilSteady(key);
  const created = await insist(() => api.send("POST", "/v1/projects", { key, body: { name: "After" } }));
  expect(created.status).toBe(201);
});

test("admits exactly the limit though the database is killed in between", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { requestsPerMinute: 100 } } });
  const unlimited = await api.createRootKey();
  const before = await Promise.all(Array.from({ length: 60 }, () => list(key)));
  cluster.kill();
  await until(503, unlimited.key);
  await untilSteady(unlimited.key);
  const after = await Promise.all(Array.from({ length: 440 }, () => list(key)));
  const admitted = [...before, ...after].filter((answer) => answer.status === 200);
  // A call that was admitted before the database failed gets 503, and still counts.
  const unavailable = [...before, ...after].filter((answer) => answer.status === 503);
  expect(admitted.length).toBeLessThanOrEqual(100);
  expect(admitted.length + unavailable.length).toBeGreaterThanOrEqual(100);
  const refused = after.filter((answer) => answer.status !== 200);
  expect(refused.every((answer) => answer.body.error.operationState === "not_started")).toBe(true);
});

test("counts calls under way against maxConcurrent after the database was killed, until they end", async () => {
  const { key } = await api.createRootKey({ limits: { "*": { maxConcurrent: 2 } } });
  const unlimited = await api.createRootKey();
  const call = () => api.send("GET", "/v1/test/under-way", { key });
  const untilLeft = (places: number) =>
    eventually(async () => (await list(key)).headers.get("ratelimit")?.includes(`r=${places}`) || undefined);
  const first = call();
  await untilLeft(0);
  const endFirst = end;
  cluster.kill();
  await until(503, unlimited.key);
  await untilSteady(unlimited.key);
  // The process counts its calls again soon after the database is back.
  await untilLeft(0);
  const second = call();
  await until(429, key);
  end();
  expect((await second).status).toBe(200);
  await untilLeft(0);
  endFirst();
  expect((await first).status).toBe(200);
  await untilLeft(1);
});

test("loses nothing that it has answered when the database is killed right after", async () => {
  const { key } = await api.createRootKey();
  const call = (idempotencyKey: string) =>
    api.send("POST", "/v1/test/commit-at-once", { key, idempotencyKey });
  const keys = Array.from({ length: 20 }, () => unique("answered"));
  const answers = await Promise.all(keys.map(call));
  cluster.kill();
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
  await until(503, key);
  await untilSteady(key);
  const repeated = await Promise.all(keys.map((idempotencyKey) => insist(() => call(idempotencyKey))));
  expect(repeated.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(keys.map(() => "true"));
});
