import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { defined } from "../base/defined.ts";
import { keysOf } from "../base/keys-of.ts";
import { holdLiveness } from "../base/liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startTenantCluster } from "../testing/tenants.ts";
import { startBenchApi } from "./bench-api.ts";
import { median } from "./report.ts";

// Measures how long an account waits for its calls while others attack, beside how long it waits otherwise:
// `node neighbours.ts DATABASE_URL` prints the ratios of medians and of 95th percentiles as JSON.
const databaseUrl = defined(process.argv[2]);
const ROUNDS = 3;
const SECONDS = 4;
/** How long an attack goes on before anything is measured. */
const WARM_UP_MS = 2000;
const SLEEPING_ACCOUNTS = 22;

const tenants = await startTenantCluster({ maxConnections: 100 });
const { port, post, createKey, close } = await startBenchApi(databaseUrl, {
  settings: { tenantClusters: [tenants.cluster] },
});
const liveness = await holdLiveness(databaseUrl);
const engine = await startRunEngine({
  url: databaseUrl,
  directUrl: databaseUrl,
  liveness,
  slots: 8,
  perAccount: 4,
});

type Headers = Record<string, string>;

async function makeAccount(): Promise<Headers> {
  const scopes = [
    "projects:read",
    "services:invoke",
    "databases:read",
    "databases:write",
    "runs:read",
    "runs:write",
  ];
  const { headers } = await createKey(scopes, { credits: 1_000_000_000 });
  await post("/databases/account", headers, {});
  return headers;
}

async function get(path: string, headers: Headers) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

const query = (headers: Headers, sql: string, more: object = {}) =>
  post("/databases/query", headers, { sql, ...more });

const startWorkflow = (headers: Headers, expression: string) =>
  post("/runs", headers, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: {
      workflow: { name: "Bench", steps: [{ id: "a", type: "wait", seconds: `{% ${expression} %}` }] },
      input: { n: 1 },
    },
  });

/** Starts a run with one expression, and waits until it has ended. */
async function runWorkflow(headers: Headers) {
  const { run } = await startWorkflow(headers, "input.n - input.n");
  while ((await get(`/runs/${run.id}`, headers)).run.status !== "succeeded");
}

const invoke = (headers: Headers, operationId: string, input: object) =>
  post("/services/managed-memory/invoke", headers, { operationId, input });

async function makeRemembering(): Promise<Headers> {
  const headers = await makeAccount();
  await invoke(headers, "put", { name: "greeting", content: "Hello" });
  return headers;
}

const neighbour = await makeRemembering();

/** The neighbour's calls, one after the other. */
const CALLS = {
  list: () => get("/projects", neighbour),
  invoke: () => invoke(neighbour, "get", { name: "greeting" }),
  query: () => query(neighbour, "select 1"),
  run: () => runWorkflow(neighbour),
};
type Call = keyof typeof CALLS;

const attacker = await makeRemembering();
const sleeping = await Promise.all(Array.from({ length: SLEEPING_ACCOUNTS }, makeAccount));
const HOSTILE = [
  "$pad('x', 100000000)",
  "($f := function(){$f()}; $f())",
  "$map([1..100000], function($i){[1..1000]})",
];
/** Sleeps, and ignores cancellation. */
const REFUSES_TO_END =
  "do $$ begin loop begin perform pg_sleep(30); exception when query_canceled then null; end; end loop; end $$";

/** Starts a process that sends one request after the other on each of 64 connections. */
function startFlood(method: string, path: string, body?: object) {
  const { authorization = "" } = attacker;
  const script = fileURLToPath(new URL("flood.ts", import.meta.url));
  const request = [method, `/v1${path}`, authorization, ...(body ? [JSON.stringify(body)] : [])];
  const child = spawn(process.execPath, [script, `${port}`, "64", ...request], { stdio: "inherit" });
  return async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

interface CalledAttack {
  /** How many calls are made at a time. */
  concurrency: number;
  attack(nth: number): Promise<unknown>;
}

/** Each attack: one of its calls, or how it is started, which returns how it is stopped. */
const ATTACKS: Record<string, CalledAttack | (() => () => Promise<void>)> = {
  "expressions that never end": {
    concurrency: 4,
    attack: async (nth) => {
      const { run } = await startWorkflow(attacker, defined(HOSTILE[nth % HOSTILE.length]));
      while ((await get(`/runs/${run.id}`, attacker)).run.finishedAt === null)
        await new Promise((resolve) => setTimeout(resolve, 100));
    },
  },
  "a lock that refuses to end": {
    concurrency: 5,
    attack: () =>
      post("/databases/actions", attacker, {
        actions: ["alter role current_user set work_mem = '1MB'", REFUSES_TO_END].map((sql) => ({
          type: "sql",
          sql,
        })),
        timeoutMs: 5000,
      }),
  },
  "sleeping queries of 22 accounts": {
    concurrency: SLEEPING_ACCOUNTS * 5,
    attack: (nth) => query(defined(sleeping[nth % SLEEPING_ACCOUNTS]), "select pg_sleep(10)"),
  },
  "results that fill the disk": {
    concurrency: 5,
    attack: () =>
      query(attacker, "select n, md5(n::text) || md5((n + 1)::text) from generate_series(1, 15000) n", {
        maxRows: 1,
      }),
  },
  "a flood of lists": () => startFlood("GET", "/projects"),
  "a flood of invokes": () =>
    startFlood("POST", "/services/managed-memory/invoke", {
      operationId: "get",
      input: { name: "greeting" },
    }),
};

/** Returns the milliseconds of each call that was made in so many seconds. */
async function measure(call: Call): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until; ) {
    const began = performance.now();
    await CALLS[call]();
    times.push(performance.now() - began);
  }
  return times;
}

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

function startCalls({ concurrency, attack }: CalledAttack) {
  let stopped = false;
  const attackers = Array.from({ length: concurrency }, async (_, nth) => {
    // The platform answers an attack with refusals.
    while (!stopped) await attack(nth).catch(() => undefined);
  });
  return async () => {
    stopped = true;
    await Promise.all(attackers);
  };
}

async function underAttack(name: string, work: () => Promise<void>): Promise<void> {
  const attack = defined(ATTACKS[name]);
  const stop = typeof attack === "function" ? attack() : startCalls(attack);
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  await work();
  await stop();
}

const names = keysOf(CALLS);
const ratios: Record<string, Record<Call, { median: number; p95: number }>> = {};
for (const attack of Object.keys(ATTACKS)) {
  const calm = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Call, number[]>;
  const attacked = structuredClone(calm);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) calm[name].push(...(await measure(name)));
    await underAttack(attack, async () => {
      for (const name of names) attacked[name].push(...(await measure(name)));
    });
  }
  ratios[attack] = Object.fromEntries(
    names.map((name) => [
      name,
      {
        median: median(attacked[name]) / median(calm[name]),
        p95: p95(attacked[name]) / p95(calm[name]),
      },
    ]),
  ) as Record<Call, { median: number; p95: number }>;
}
console.log(JSON.stringify(ratios));
await engine.stop();
await liveness.release();
await close();
await tenants.drop();
