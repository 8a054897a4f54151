import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import postgres from "postgres";
import { openDatabase } from "../../db/client.ts";
import { defined } from "../base/defined.ts";
import { newUuid, toUuid } from "../base/ids.ts";
import { migrate } from "../boot/migrate.ts";
import { growAccounts } from "../testing/large-account.ts";
import { cpuOf } from "./cpu.ts";
import { createKey } from "./create-key.ts";
import { postTo } from "./post-to.ts";
import { type Cost, type Growth, median } from "./report.ts";

// Measures the CPU time of a request, a run of three steps and a delivery, in the processes and in the database, as
// data and processes grow: `node growth.ts DATABASE_URL` prints microseconds as JSON.
const databaseUrl = defined(process.argv[2]);
/** The rows of an account at size 1. */
const BASE = { events: 1000, keys: 100, runs: 100, deliveries: 1000 };
const SIZES = [1, 10, 100, 1000];
const PROCESSES = [1, 2, 4];
/** The size at which the number of processes varies. */
const SIZE = 10;
const ROUNDS = 3;
const REQUESTS = 6000;
const RUNS = 600;
const EVENTS = 800;
const WEBHOOKS = 8;
const SCOPES = ["projects:read", "projects:write", "runs:read", "runs:write", "webhooks:write"];

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const admin = postgres(databaseUrl, { max: 1, onnotice: () => undefined });

async function startScript(children: ChildProcess[], name: string, ...args: string[]) {
  const child = spawn(process.execPath, [here(name), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), "line");
  return { pid: defined(child.pid), port: Number(line) };
}

/** Inserts copies of an account's newest row of a table, with earlier times. */
async function copyRows(sql: postgres.Sql, table: string, account: string, count: number): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and not attisdropped`;
  const copied = columns.map(({ name }) => (name === "id" ? "uuidv7(-n * interval '1 ms')" : `r.${name}`));
  await sql.unsafe(
    `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
     select ${copied.join(", ")} from (select * from ${table} where account_id = $1 order by id desc limit 1) r,
       generate_series(1, $2::int) n`,
    [account, count],
  );
}

/** Queues copies of the account's first run, which has ended. */
async function queueRuns(sql: postgres.Sql, account: string): Promise<void> {
  await sql`
    insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
      privacy_tier, request_id, held_credits, last_seq, ready_at, expires_at)
    select r.account_id, uuidv7(), r.service_id, r.operation_id, 'queued', r.input, 1, r.caller_type, r.caller_id, r.key_ids,
      r.privacy_tier, r.request_id, 0, 1, clock_timestamp(), clock_timestamp() + interval '1 day'
    from (select * from runs where account_id = ${account} order by id limit 1) r, generate_series(1, ${RUNS})`;
}

async function awaitNone(sql: postgres.Sql, count: string): Promise<void> {
  for (;;) {
    const [row] = await sql.unsafe<{ left: number }[]>(`select (${count})::int as left`);
    if (row?.left === 0) return;
    await sleep(50);
  }
}

const RUNS_LEFT = "select count(*) from runs where finished_at is null";
const DELIVERIES_LEFT = "select (select count(*) from outbox) + (select count(*) from webhook_queue)";

/** Measures the cost of each kind of work in an installation of its own. */
async function measure(size: number, processes: number, receiver: string): Promise<Cost> {
  const name = `growth_${size}_${processes}`;
  await admin.unsafe(`create database ${name}`);
  const url = await migrate(databaseUrl.replace(/[^/]*$/, name));
  const children: ChildProcess[] = [];
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const servers: { pid: number; port: number }[] = [];
    for (let nth = 0; nth < processes; nth++)
      servers.push(await startScript(children, "growth-process.ts", url));
    const post = postTo(defined(servers[0]).port);
    const database = openDatabase(url, { handlers: 1 });
    const { accountId, headers } = await createKey(database.db, post, SCOPES);
    await database.close();
    const account = toUuid("account", accountId);
    const { project } = await post("/projects", headers, { name: "Bench" });
    for (let nth = 0; nth < WEBHOOKS; nth++)
      await post("/webhooks", headers, { url: receiver, events: ["project.updated"] });
    await post("/runs", headers, { serviceId: "bench", operationId: "three-steps", input: {} });
    const payload = JSON.stringify({ data: { project: { name: "x".repeat(500) } } });
    const send = async (events: number) => {
      const ids = Array.from({ length: events }, () => newUuid());
      await sql`insert into outbox (account_id, id, type, scope, account_wide, payload)
        select ${account}::uuid, id, 'project.updated', 'projects:read', false, ${payload} from unnest(${ids}::uuid[]) id`;
    };
    await send(1);
    await awaitNone(sql, RUNS_LEFT);
    await awaitNone(sql, DELIVERIES_LEFT);

    const [root] = await sql<{ id: string }[]>`select id from api_keys where account_id = ${account}`;
    const grown = { account, root: defined(root).id, project: toUuid("project", project.id) };
    await growAccounts(sql, [{ ...grown, events: size * BASE.events, keys: size * BASE.keys }]);
    await copyRows(sql, "runs", account, size * BASE.runs);
    await copyRows(sql, "webhook_events", account, size * BASE.deliveries);
    await copyRows(sql, "webhook_history", account, size * BASE.deliveries);
    await sql`vacuum (analyze) runs, webhook_events, webhook_history`;
    await sql`checkpoint`;

    const [postmaster] = await sql<{ pid: number }[]>`
      select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid`;
    const cpu = () => ({
      server: servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      database: cpuOf(defined(postmaster).pid),
    });
    const costOf = async (count: number, work: () => Promise<unknown>) => {
      const rounds = [];
      // The first round warms the processes up.
      for (let round = -1; round < ROUNDS; round++) {
        const before = cpu();
        await work();
        const after = cpu();
        if (round >= 0)
          rounds.push({
            server: (after.server - before.server) / count,
            database: (after.database - before.database) / count,
          });
      }
      return {
        server: median(rounds.map(({ server }) => server)),
        database: median(rounds.map(({ database }) => database)),
      };
    };
    return {
      request: await costOf(REQUESTS, () =>
        Promise.all(
          servers.map(({ port }) =>
            autocannon({
              url: `http://127.0.0.1:${port}/v1/projects`,
              headers,
              connections: 64 / processes,
              amount: REQUESTS / processes,
            }),
          ),
        ),
      ),
      run: await costOf(RUNS, async () => {
        await queueRuns(sql, account);
        await awaitNone(sql, RUNS_LEFT);
      }),
      delivery: await costOf(EVENTS * WEBHOOKS, async () => {
        await send(EVENTS);
        await awaitNone(sql, DELIVERIES_LEFT);
      }),
    };
  } finally {
    for (const child of children) if (child.kill("SIGKILL")) await once(child, "exit");
    await sql.end({ timeout: 5 });
    await admin.unsafe(`drop database ${name} with (force)`);
  }
}

const receivers: ChildProcess[] = [];
const { port } = await startScript(receivers, "receiver.ts");
const growth: Growth = { sizes: [], processes: [] };
for (const size of SIZES)
  growth.sizes.push({ at: size, ...(await measure(size, 1, `http://127.0.0.1:${port}/`)) });
for (const processes of PROCESSES)
  growth.processes.push(
    processes === 1
      ? { ...defined(growth.sizes.find(({ at }) => at === SIZE)), at: 1 }
      : { at: processes, ...(await measure(SIZE, processes, `http://127.0.0.1:${port}/`)) },
  );
console.log(JSON.stringify(growth));
for (const receiver of receivers) receiver.kill();
await admin.end();
process.exit(0);
