import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startLoops } from "#server/testing/load.ts";
import { startRuns } from "#server/testing/runs.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startWithStandby } from "#server/testing/standby.ts";
import { verifyRestored } from "../backup/verify-restored.ts";

const database = await startWithStandby();
const api = await startApi({ database: { url: database.url, drop: () => undefined } });

const CREDITS = 10_000;
const LIMIT = 40;
const LIMITED_MS = 60_000;
/** Calls end within five seconds; a busy machine takes as long again to notice. */
const LONGEST_MS = 10_000;

interface Span {
  at: number;
  endedAt: number;
}

interface Attempt extends Span {
  /** Its duration without the time in which others had the cores. */
  ms: number;
  status: number;
  code: string | undefined;
  operationState: string | undefined;
}

/**
 * Starts callers that repeat a failed call with the same key until it succeeds; each attempt is timed like any other.
 */
function startCallers(origin: string, key: string, limitedKey: string) {
  const attempts: Attempt[] = [];
  const projects: string[] = [];
  const runs: string[] = [];
  const admitted: Span[] = [];

  async function call(method: string, path: string, secret: string, name?: string, body?: object) {
    const [at, clock] = [Date.now(), startClock()];
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(name && { "idempotency-key": name, "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((error: Error) => ({ status: 0, json: async () => ({ error: { code: error.name } }) }));
    const answer = await response.json();
    const { status } = response;
    const { code, operationState } = answer.error ?? {};
    const span = { at, endedAt: Date.now() };
    attempts.push({ ...span, ms: clock(), status, code, operationState });
    return { status, answer, span };
  }

  async function until(path: string, body: (name: string) => object) {
    for (const name = unique("failover"); ; await sleep(50)) {
      const { status, answer } = await call("POST", path, key, name, body(name));
      if (status < 300 && status > 0) return { name, answer };
      if (status !== 0 && status !== 503 && status !== 409) throw new Error(JSON.stringify(answer));
    }
  }

  async function createProject() {
    projects.push((await until("/v1/projects", (name) => ({ name }))).name);
  }

  async function createRun() {
    const run = (content: string) => ({
      serviceId: "managed-memory",
      operationId: "put",
      input: { content },
    });
    runs.push((await until("/v1/runs", run)).answer.run.id);
  }

  const list = (secret: string) => call("GET", "/v1/projects?limit=1", secret);
  async function listWithinLimit() {
    const { status, span } = await list(limitedKey);
    if (status === 200) admitted.push(span);
  }

  const works = [
    ...[1, 2, 3].flatMap(() => [createProject, createRun]),
    ...[1, 2].map(() => () => list(key)),
    listWithinLimit,
  ];
  const { stop } = startLoops(works.map((work) => ({ work, pauseMs: 20 })));
  return { attempts, projects, runs, admitted, stop };
}

/** Returns how many calls were refused since then because the platform's database was unavailable. */
const refusedSince = (attempts: Attempt[], moment: number) =>
  attempts.filter(({ endedAt, status }) => status === 503 && endedAt >= moment).length;

/** Returns the maximum number of calls that lie within a minute of each other, from the first's begin to the last's end. */
const mostInAMinute = (calls: readonly Span[]) =>
  Math.max(
    ...calls.map(
      ({ at: first }) =>
        calls.filter(({ at, endedAt }) => at >= first && endedAt < first + LIMITED_MS).length,
    ),
  );

test("fails over under load: nothing that was answered is lost, nothing is done twice, and no call hangs", async () => {
  const { key } = await createPayingKey(api, CREDITS);
  const limits = { "*": { requestsPerMinute: LIMIT } };
  const { key: limitedKey } = await api.createChild(key, { limits });
  const server = await startServer(database.url, "--jobs");
  const engine = await startRuns(api);
  const began = Date.now();
  const callers = startCallers(server.origin, key, limitedKey);
  const progress = async (moment: number) =>
    expect.poll(() => callers.attempts.some(({ at, status }) => at > moment && status === 201)).toBe(true);
  await progress(began);

  database.freezeStandby();
  const silent = Date.now();
  const inSilence = () => callers.attempts.filter(({ at }) => at > silent);
  await expect.poll(() => inSilence().length).toBeGreaterThan(5);
  // Without the standby none of them is stored.
  const silenced = inSilence();
  database.thaw();
  await progress(Date.now());

  const frozen = Date.now();
  database.freezePrimary();
  await expect.poll(() => refusedSince(callers.attempts, frozen)).toBeGreaterThan(5);
  await database.killPrimary();
  await database.failOver();
  const settling = startClock();
  await progress(Date.now());
  await callers.stop();
  const settledMs = settling();

  expect(Math.max(...callers.attempts.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS);
  expect(settledMs).toBeLessThan(LONGEST_MS);
  expect(
    silenced.filter(
      ({ status, operationState = "" }) =>
        status !== 503 || !["not_started", "unknown"].includes(operationState),
    ),
  ).toEqual([]);
  expect(mostInAMinute(callers.admitted)).toBeLessThanOrEqual(LIMIT);
  expect(server.child.exitCode).toBeNull();
  const faults = callers.attempts.filter(({ status }) => ![200, 201, 202, 409, 429, 503].includes(status));
  expect(faults).toEqual([]);

  const { client } = api.platform.database;
  const rows = await client<
    { name: string }[]
  >`select name from projects where name = any(${callers.projects})`;
  expect(rows.map(({ name }) => name).sort()).toEqual(callers.projects.sort());
  await expect
    .poll(async () => (await api.send("GET", "/v1/credits/balance", { key })).body.balance)
    .toMatchObject({ availableCredits: CREDITS - callers.runs.length, reservedCredits: 0 });
  const { auditSigningKey } = api.platform.settings;
  expect((await verifyRestored(database.url, null, auditSigningKey, null)).faults).toEqual([]);
  await engine.stop();
});
