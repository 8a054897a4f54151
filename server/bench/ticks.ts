import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { defined } from "../base/defined.ts";
import { uuidOf } from "../base/ids.ts";
import { startBenchApi } from "./bench-api.ts";

// Measures how late a trigger's run is created beside 10,000 triggers of another account that are due at the same time:
// `node ticks.ts DATABASE_URL` prints milliseconds as JSON. Both times are the database's.
const databaseUrl = defined(process.argv[2]);
const DUE = 10_000;
const ROUNDS = 5;
const SETTING_UP_MS = 6000;

const { post, createKey, close } = await startBenchApi(databaseUrl);
// Without the statement timeout of the platform's own connections.
const client = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
const start = {
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: "tick", content: "A tick." },
};
const scopes = ["runs:read", "runs:write", "services:invoke"];

async function put(headers: Record<string, string>, name: string, at: string): Promise<string> {
  const { result } = await post("/services/managed-triggers/invoke", headers, {
    operationId: "put",
    input: { name, on: { at }, start, overlap: "allow" },
  });
  return defined(uuidOf("trigger", result.trigger.id) ?? undefined);
}

/** Stores copies of a trigger as calls would. */
async function copy(id: string, count: number): Promise<void> {
  await client`
    insert into triggers (account_id, id, space, name, schedule, service_id, operation_id, start, overlap, catch_up_seconds,
      jitter_seconds, caller_type, caller_id, anchor_at, next_at, due_at, updated_at)
    select account_id, uuidv7(), space, name || '-' || n, schedule, service_id, operation_id, start, overlap, catch_up_seconds,
      jitter_seconds, caller_type, caller_id, anchor_at, next_at, due_at, updated_at
    from triggers, generate_series(1, ${count}) n where id = ${id}`;
}

/** Returns how many milliseconds after its time the single trigger's run was created. */
async function lateMs(round: number, due: number): Promise<number> {
  const many = await createKey(scopes, { credits: 10 * DUE });
  const one = await createKey(scopes, { credits: 100 });
  const at = new Date(Date.now() + SETTING_UP_MS).toISOString();
  if (due > 0) await copy(await put(many.headers, `many-${round}`, at), due - 1);
  await put(one.headers, `single-${round}`, at);
  const account = uuidOf("account", one.accountId);
  for (;;) {
    const [row] = await client<{ ms: number }[]>`
      select (extract(epoch from uuid_extract_timestamp(id) - scheduled_at) * 1000)::float8 as ms
      from runs where account_id = ${account}`;
    if (row) {
      await client`delete from triggers where account_id = ${uuidOf("account", many.accountId)}`;
      return row.ms;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const workerPath = fileURLToPath(new URL("../testing/processes/trigger-worker.ts", import.meta.url));
const worker = spawn(process.execPath, [workerPath, databaseUrl, tmpdir()], {
  stdio: ["ignore", "pipe", "inherit"],
});
await once(createInterface(worker.stdout), "line");
const alone: number[] = [];
const beside: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  alone.push(await lateMs(round, 0));
  beside.push(await lateMs(round, DUE));
}
console.log(JSON.stringify({ alone: Math.max(...alone), beside: Math.max(...beside) }));
worker.kill();
await client.end();
await close();
