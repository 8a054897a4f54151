import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTakeoverClock, TAKEOVER_MS } from "#server/testing/takeover-clock.ts";
import { startClock } from "../testing/cpu.ts";
import { createTestDatabase } from "../testing/database.ts";
import { startNetwork } from "../testing/network.ts";
import { startWorker } from "./worker.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 2, onnotice: () => undefined });
});

afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

/** Ends every other connection to the database. */
function endConnections() {
  return sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
}

function addJob(task: string) {
  return sql`select graphile_worker.add_job(${task}, '{"n": 1}')`;
}

/** Starts a worker process that prints "took" when it has claimed the job, and then never ends it. */
function startStuckWorker() {
  const program = `
    import { startWorker } from ${JSON.stringify(join(import.meta.dirname, "worker.ts"))};
    await startWorker({ url: ${JSON.stringify(database.url)}, tasks: { carry: () => { console.log("took"); return new Promise(() => {}); } } });`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const took = new Promise<void>((done) => child.stdout?.once("data", () => done()));
  return { child, took };
}

test("runs a job that was added in a transaction", async () => {
  const payloads: unknown[] = [];
  const done = Promise.withResolvers<void>();
  const note = async (payload: unknown) => {
    payloads.push(payload);
    done.resolve();
  };
  const worker = await startWorker({ url: database.url, tasks: { note } });
  await sql.begin((tx) => tx`select graphile_worker.add_job('note', '{"n": 1}')`);
  await done.promise;
  await worker.stop();
  expect(payloads).toEqual([{ n: 1 }]);
  expect(await sql`select count(*)::int as left from graphile_worker._private_jobs`).toEqual([{ left: 0 }]);
});

test("takes over the job of a killed worker within seconds", async () => {
  const { child, took } = startStuckWorker();
  await addJob("carry");
  await took;
  const carried = Promise.withResolvers<void>();
  const worker = await startWorker({
    url: database.url,
    tasks: { carry: async () => carried.resolve() },
  });
  await sleep(2500);
  expect(await sql`select locked_by = ${worker.workerId} as ours from graphile_worker._private_jobs`).toEqual(
    [{ ours: false }],
  );
  const clock = await startTakeoverClock(database.url);
  child.kill("SIGKILL");
  await carried.promise;
  expect(clock()).toBeLessThan(TAKEOVER_MS);
  await worker.stop();
});

test("starts again after the database was out of reach", async () => {
  const done = Promise.withResolvers<void>();
  const worker = await startWorker({ url: database.url, tasks: { later: async () => done.resolve() } });
  await endConnections();
  await addJob("later");
  await done.promise;
  await worker.stop();
});

test("receives jobs again in less time than the database was away", async () => {
  const worker = await startWorker({ url: database.url, tasks: { nothing: async () => undefined } });
  const name = new URL(database.url).pathname.slice(1);
  const admin = postgres(database.url.replace(/[^/]*$/, "postgres"), { max: 1 });
  const countListeners = async () => {
    const rows = await admin`select from pg_stat_activity where datname = ${name} and query ilike 'listen%'`;
    return rows.length;
  };
  await expect.poll(countListeners).toBe(1);
  await admin.unsafe(`alter database ${name} allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  const awayMs = 5000;
  await sleep(awayMs);
  await admin.unsafe(`alter database ${name} allow_connections true`);
  const clock = startClock();
  await expect.poll(countListeners, { interval: 50 }).toBe(1);
  expect(clock()).toBeLessThan(awayMs);
  await admin.end();
  await worker.stop();
});

test("leaves no job locked that has ended while connections were lost", async () => {
  let ran = 0;
  const count = async () => {
    ran += 1;
  };
  const worker = await startWorker({ url: database.url, tasks: { count } });
  for (let nth = 0; nth < 100; nth += 1) {
    await addJob("count");
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'delete from %_private_jobs%'`;
  }
  await expect.poll(() => sql`select locked_by from graphile_worker._private_jobs`).toEqual([]);
  expect(ran).toBeGreaterThanOrEqual(100);
  await worker.stop();
});

test("lets the process live when the database ends connections that are being closed", async () => {
  for (let nth = 0; nth < 10; nth++) {
    const worker = await startWorker({ url: database.url, tasks: { nothing: async () => undefined } });
    await worker.stop();
    await endConnections();
  }
  expect(await sql`select from graphile_worker._private_jobs`).toHaveLength(0);
});

test.each([
  ["ends in time", 0],
  ["outlasts the looks for the database", 6_000],
])("gives up the stop where the database stays away, when a job %s, which then runs again", async (_, ms) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const network = await startNetwork(() => database.url);
  const running = Promise.withResolvers<void>();
  let ended = false;
  const held = async () => {
    running.resolve();
    await sleep(ms + 500);
    ended = true;
  };
  const worker = await startWorker({ url: network.url(), tasks: { held } });
  await addJob("held");
  await running.promise;
  network.close();
  await worker.stop();
  expect(ended).toBe(true);
  await sleep(1_000);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
