import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { defined } from "../base/defined.ts";
import { uuidOf } from "../base/ids.ts";
import { startBenchApi } from "./bench-api.ts";

// Measures the time from an event to the next step of the run that awaits it, executed by a worker of another process:
// `node events.ts DATABASE_URL` prints the percentiles as JSON. Both times are the database's.
const databaseUrl = defined(process.argv[2]);
const RUNS = 300;
const WARM_UP = 20;

const { post, createKey, close } = await startBenchApi(databaseUrl);
// Without the statement timeout of the platform's own connections.
const client = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
const workerPath = fileURLToPath(new URL("../testing/processes/run-worker.ts", import.meta.url));
const worker = spawn(process.execPath, [workerPath, databaseUrl, tmpdir(), "8"], {
  stdio: ["ignore", "pipe", "inherit"],
});
await once(createInterface(worker.stdout), "line");

const scopes = ["runs:read", "runs:write", "services:invoke"];
const { accountId, headers } = await createKey(scopes, { credits: 100_000 });
const workflow = {
  name: "Wait",
  steps: [
    { id: "paid", type: "await", events: [{ name: "paid", key: "{% input.order %}" }], timeoutSeconds: 3600 },
    { id: "next", type: "invoke", serviceId: "managed-memory", operationId: "list", input: {} },
  ],
};

const send = (key: string) =>
  post("/services/managed-events/invoke", headers, { operationId: "send", input: { name: "paid", key } });

/** Starts a run that waits, sends its event, and returns the milliseconds between the event and the next step. */
async function resumeMs(order: string): Promise<number> {
  const { run } = await post("/runs", headers, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow, input: { order } },
  });
  const id = uuidOf("run", run.id);
  const account = uuidOf("account", accountId);
  const waits = () => client`
    select from runs r join event_waits w on w.account_id = r.account_id and w.run_id = r.id
    where r.account_id = ${account} and r.id = ${id} and r.worker is null`;
  while ((await waits()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await send(order);
  for (;;) {
    const [row] = await client<{ ms: number }[]>`
      select (extract(epoch from min(t.at) - max(e.sent_at)) * 1000)::float8 as ms
      from run_timeline t, sent_events e
      where t.account_id = ${account} and t.run_id = ${id} and t.step = 'steps.next'
        and e.account_id = ${account} and e.key = ${order}
      having min(t.at) is not null`;
    if (row) return row.ms;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const times: number[] = [];
for (let nth = 0; nth < WARM_UP + RUNS; nth++) {
  const ms = await resumeMs(`order-${nth}`);
  if (nth >= WARM_UP) times.push(ms);
}
times.sort((a, b) => a - b);
const percentile = (part: number) => times[Math.floor(times.length * part)];
console.log(JSON.stringify({ p50: percentile(0.5), p95: percentile(0.95), most: times.at(-1) }));
worker.kill();
await client.end();
await close();
