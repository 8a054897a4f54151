import { run as startBare } from "graphile-worker";
import postgres from "postgres";
import { defined } from "../base/defined.ts";
import { uuidOf } from "../base/ids.ts";
import { holdLiveness } from "../base/liveness.ts";
import { jobsLogger } from "../jobs/logger.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startBenchApi } from "./bench-api.ts";
import { benchService } from "./bench-service.ts";
import { queuedPerSecond, startedPerSecond } from "./dbos.ts";
import { queueCopies } from "./queue-copies.ts";
import { median } from "./report.ts";

// Measures durable runs beside the bare job engine and DBOS in one process: `node runs.ts DATABASE_URL` prints JSON.
const databaseUrl = defined(process.argv[2]);
const CONCURRENCY = 8;
const DISPATCHES = 200;
const THROUGHPUT = 1500;
const QUEUED = 10_000;

let started: ((at: number) => void) | undefined;
let finished = 0;
const bench = benchService("three-steps", async ({ step }) => {
  await step("first", async () => started?.(performance.now()));
  await step("second", async () => 2);
  await step("third", async () => 3);
  finished += 1;
});

const { post, createKey, close } = await startBenchApi(databaseUrl, {
  settings: { services: [bench] },
});
// Without the statement timeout of the platform's own connections.
const client = postgres(databaseUrl, { max: 2, onnotice: () => undefined });

type Headers = Awaited<ReturnType<typeof createKey>>["headers"];

const createRun = (headers: Headers) =>
  post("/runs", headers, { serviceId: "bench", operationId: "three-steps", input: {} });

async function startEngine(slots = CONCURRENCY) {
  const liveness = await holdLiveness(databaseUrl);
  const engine = await startRunEngine({
    url: databaseUrl,
    directUrl: databaseUrl,
    liveness,
    slots,
    perAccount: slots,
  });
  return async () => {
    await engine.stop();
    await liveness.release();
  };
}

/** Starts the bare engine; `done` is called at each job's start. */
async function startBareEngine(done: () => void) {
  const runner = await startBare({
    connectionString: databaseUrl,
    concurrency: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 2,
    pollInterval: 1000,
    noHandleSignals: true,
    logger: jobsLogger,
    taskList: { trivial: async () => done() },
  });
  return () => runner.stop();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function bareDispatch(): Promise<number> {
  let arrived = (_: number) => {};
  const stop = await startBareEngine(() => arrived(performance.now()));
  const times: number[] = [];
  for (let nth = 0; nth < DISPATCHES; nth++) {
    const begun = performance.now();
    const start = new Promise<number>((resolve) => {
      arrived = resolve;
    });
    await client`select graphile_worker.add_job('trivial', '{}')`;
    times.push((await start) - begun);
    await pause(5);
  }
  await stop();
  return median(times);
}

async function runDispatch(headers: Headers): Promise<number> {
  const stop = await startEngine();
  const times: number[] = [];
  for (let nth = 0; nth < DISPATCHES; nth++) {
    const start = new Promise<number>((resolve) => {
      started = resolve;
    });
    const { run } = await createRun(headers);
    times.push(performance.timeOrigin + (await start) - Date.parse(run.createdAt));
    await pause(15);
  }
  started = undefined;
  await stop();
  return median(times);
}

async function barePerSecond(): Promise<number> {
  await client`select graphile_worker.add_job('trivial', '{}') from generate_series(1, ${3 * THROUGHPUT})`;
  const all = Promise.withResolvers<void>();
  let done = 0;
  const begun = performance.now();
  const stop = await startBareEngine(() => {
    done += 1;
    if (done === 3 * THROUGHPUT) all.resolve();
  });
  await all.promise;
  const seconds = (performance.now() - begun) / 1000;
  await stop();
  return THROUGHPUT / seconds;
}

async function runsPerSecond(accountId: string): Promise<number> {
  await queueCopies(client, accountId, THROUGHPUT);
  finished = 0;
  const begun = performance.now();
  const stop = await startEngine();
  while (finished < THROUGHPUT) await pause(2);
  const seconds = (performance.now() - begun) / 1000;
  await stop();
  return THROUGHPUT / seconds;
}

/**
 * Measures how long another account's single run waits while so many are queued: in milliseconds, and in runs that
 * start before it.
 */
async function delayBeside(queued: number, busy: { accountId: string }, other: { headers: Headers }) {
  const stop = await startEngine();
  await queueCopies(client, busy.accountId, queued);
  await pause(500);
  const { run } = await createRun(other.headers);
  const id = uuidOf("run", run.id);
  for (;;) {
    const [row] = await client<{ ms: number; ahead: number }[]>`
      select (extract(epoch from r.started_at - r.created_at) * 1000)::float8 as ms,
        (select count(*)::int from runs b where b.account_id = ${uuidOf("account", busy.accountId)}
          and b.started_at > r.created_at and b.started_at < r.started_at) as ahead
      from runs r where r.id = ${id} and r.started_at is not null`;
    if (row) {
      await stop();
      return row;
    }
    await pause(5);
  }
}

const one = await createKey(["runs:read", "runs:write"]);
const other = await createKey(["runs:read", "runs:write"]);
await createRun(one.headers);
const rounds = {
  bareDispatch: [] as number[],
  runDispatch: [] as number[],
  bare: [] as number[],
  runs: [] as number[],
  dbosStarted: [] as number[],
  dbosQueued: [] as number[],
};
for (let round = 0; round < 3; round++) {
  rounds.bareDispatch.push(await bareDispatch());
  rounds.runDispatch.push(await runDispatch(other.headers));
  rounds.bare.push(await barePerSecond());
  rounds.runs.push(await runsPerSecond(one.accountId));
  rounds.dbosStarted.push(await startedPerSecond(databaseUrl, THROUGHPUT, CONCURRENCY));
  rounds.dbosQueued.push(await queuedPerSecond(databaseUrl, THROUGHPUT));
}
const delay = await delayBeside(QUEUED, one, other);
console.log(
  JSON.stringify({
    bareDispatchMs: median(rounds.bareDispatch),
    runDispatchMs: median(rounds.runDispatch),
    barePerSecond: median(rounds.bare),
    runsPerSecond: median(rounds.runs),
    dbosStartedPerSecond: median(rounds.dbosStarted),
    dbosQueuedPerSecond: median(rounds.dbosQueued),
    delayMs: delay.ms,
    startedAhead: delay.ahead,
  }),
);
await client.end();
await close();
