import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { migrate } from "../boot/migrate.ts";
import { startPostgres } from "../boot/postgres.ts";
import { cpuOf } from "./cpu.ts";

// Measures the pipeline beside what it is made of, in one run on one machine: only the ratios mean anything. Beside the
// rates stands the CPU time of a request, which a busy machine disturbs less.
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 4;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "managed-services-bench-"));
const children: ChildProcess[] = [];
const cluster = await startPostgres({ name: "platform", dataDir: join(folder, "postgres") });
await migrate(cluster.url());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function startSubjects() {
  const child = spawn(process.execPath, [here("subjects.ts"), cluster.url()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), "line");
  const told = JSON.parse(line) as { port: number; key: string; deepKey: string; betterAuthKey: string };
  return { ...told, pid: child.pid as number };
}

interface RunMeasures {
  bareDispatchMs: number;
  runDispatchMs: number;
  barePerSecond: number;
  runsPerSecond: number;
  delayMs: number;
  startedAhead: number;
}

function reportRuns(runs: RunMeasures): void {
  const line = (what: string, value: string, goal: string) =>
    console.log(`${what.padEnd(58)} ${value.padStart(6)}   ${goal}`);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log("Durable runs beside the bare job engine, medians of three alternating rounds:");
  console.log(
    `  created to first step ${ms(runs.runDispatchMs)}, enqueued to started ${ms(runs.bareDispatchMs)}`,
  );
  console.log(
    `  three-step runs ${Math.round(runs.runsPerSecond)} a second, three bare jobs ${Math.round(runs.barePerSecond)} times a second`,
  );
  console.log(`  started beside 10,000 queued runs of another account in ${ms(runs.delayMs)}`);
  line(
    "created to first step / enqueued to started",
    (runs.runDispatchMs / runs.bareDispatchMs).toFixed(2),
    "≤ 4",
  );
  line(
    "three-step runs / three bare jobs, per second",
    (runs.runsPerSecond / runs.barePerSecond).toFixed(2),
    "≥ 0.5",
  );
  line("runs that start before another's beside 10,000 queued", String(runs.startedAhead), "≤ 10");
}

function reportTransactions(
  sends: Record<"bareSendMs" | "sendMs" | "callMs" | "barePerSecond" | "perSecond", number>,
): void {
  const line = (what: string, value: number, goal: string) =>
    console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(6)}   ${goal}`);
  console.log("What wallets send beside bare viem on the same chain, medians of three alternating rounds:");
  console.log(
    `  created to broadcast ${sends.sendMs.toFixed(1)} ms, signed and sent by viem ${sends.bareSendMs.toFixed(1)} ms`,
  );
  console.log(
    `  10 wallets × 20 sends: ${Math.round(sends.perSecond)} confirmed a second, by viem ${Math.round(sends.barePerSecond)}`,
  );
  line("created to broadcast / signed and sent by viem", sends.sendMs / sends.bareSendMs, "≤ 3");
  line("call that creates it to broadcast / by viem", sends.callMs / sends.bareSendMs, "");
  line("confirmed a second / by viem", sends.perSecond / sends.barePerSecond, "≥ 0.7");
}

function reportFiles(
  files: Record<"plainUpload" | "upload" | "plainDownload" | "download" | "grownMb", number>,
) {
  const line = (what: string, value: string, goal: string) =>
    console.log(`${what.padEnd(58)} ${value.padStart(6)}   ${goal}`);
  console.log("A file of 1 GB beside a plain server that hashes, writes and syncs, medians of three rounds:");
  line("upload, speed / the plain server's", (files.plainUpload / files.upload).toFixed(2), "≥ 0.6");
  line("download, speed / the plain server's", (files.plainDownload / files.download).toFixed(2), "≥ 0.6");
  line("memory that the platform has grown by, MB", String(files.grownMb), "< 64");
}

type DatabaseMeasures = Record<
  "plainSmall" | "small" | "plainLarge" | "large" | "copy" | "export" | "import",
  number
>;

function reportDatabases(databases: DatabaseMeasures) {
  const line = (what: string, value: number, goal: string) =>
    console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(6)}   ${goal}`);
  console.log(
    "Managed databases at 32 connections beside a plain handler, medians of three alternating rounds:",
  );
  console.log(
    `  one row ${Math.round(databases.small)} a second, plain ${Math.round(databases.plainSmall)}; 10,000 rows ${databases.large.toFixed(1)}, plain ${databases.plainLarge.toFixed(1)}`,
  );
  line("queries of one row / the plain handler's", databases.small / databases.plainSmall, "≥ 0.4");
  line("queries of 10,000 rows / the plain handler's", databases.large / databases.plainLarge, "≥ 0.85");
  line("export, speed / COPY, packed and hashed alike", databases.copy / databases.export, "≥ 0.5");
  line("import, speed / the same COPY", databases.copy / databases.import, "≥ 0.5");
}

function reportLarge(pages: { name: string; small: number; large: number }[]) {
  console.log(
    "A million audit events and rows and a hundred thousand keys beside a thousand of each, p50 of calls in turn:",
  );
  for (const { name, small, large } of pages)
    console.log(
      `${name.padEnd(58)} ${(large / small).toFixed(2).padStart(6)}   ≤ 1.3   (${small.toFixed(1)} and ${large.toFixed(1)} ms)`,
    );
}

function reportQuotes(quotes: Record<"bareMs" | "quoteMs" | "operationMs", number>) {
  const line = (what: string, value: number, goal: string) =>
    console.log(`${what.padEnd(58)} ${(value / quotes.bareMs).toFixed(2).padStart(6)}   ${goal}`);
  console.log(
    `Quotes over one pool, medians of alternating calls: the quoter alone ${quotes.bareMs.toFixed(1)} ms`,
  );
  line("quote over every route / bare QuoterV2 call", quotes.quoteMs, "≤ 2");
  line("POST /trading/quotes / bare QuoterV2 call", quotes.operationMs, "");
}

async function startNextApp(): Promise<{ url: string; pid: number }> {
  const next = here("../../node_modules/next/dist/bin/next");
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: cluster.url(),
  };
  const built = spawnSync(process.execPath, [next, "build", here("next")], { env, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`The Next.js app did not build: ${built.stdout}${built.stderr}`);
  const port = await freePort();
  const child = spawn(process.execPath, [next, "start", here("next"), "-p", String(port)], {
    env,
    stdio: "ignore",
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}/bare`;
  for (let attempt = 0; attempt < 200; attempt++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, pid: child.pid as number };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The Next.js app did not start.");
}

interface Subject {
  url: string;
  headers: Record<string, string>;
  /** The process that answers. */
  pid: number;
}

interface Measure {
  rate: number;
  /** Microseconds of CPU that a request takes of the answering process, and of the database. */
  server: number;
  database: number;
}

async function measure({ url, headers, pid }: Subject): Promise<Measure> {
  const before = { server: cpuOf(pid), database: cpuOf(cluster.pid) };
  const { requests, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (non2xx + errors > 0)
    throw new Error(`${url}: ${non2xx} answers were refusals, ${errors} calls failed.`);
  return {
    rate: requests.average,
    server: (cpuOf(pid) - before.server) / requests.total,
    database: (cpuOf(cluster.pid) - before.database) / requests.total,
  };
}

/** What a script that measures by itself, in a process of its own, prints. */
function told(script: string): string {
  const { status, stdout } = spawnSync(process.execPath, [here(script), cluster.url()], {
    ...{ encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}.`);
  return stdout;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  const { port, pid, key, deepKey, betterAuthKey } = await startSubjects();
  const origin = `http://127.0.0.1:${port}`;
  const subjects = {
    list: { url: `${origin}/v1/projects`, headers: { authorization: `Bearer ${key}` }, pid },
    deep: { url: `${origin}/v1/projects`, headers: { authorization: `Bearer ${deepKey}` }, pid },
    bare: { url: `${origin}/bare`, headers: {}, pid },
    unguarded: { url: `${origin}/unguarded`, headers: {}, pid },
    next: { ...(await startNextApp()), headers: {} },
    betterAuth: { url: `${origin}/better-auth`, headers: { "x-api-key": betterAuthKey }, pid },
  };
  const measures = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as Measure[]]));
  for (const subject of Object.values(subjects)) await measure(subject);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, subject] of Object.entries(subjects)) measures[name]?.push(await measure(subject));
  }
  const of = (name: string, what: keyof Measure) => median((measures[name] ?? []).map((one) => one[what]));
  console.log(`At ${CONNECTIONS} connections, median of ${ROUNDS} alternating rounds:`);
  console.log("             requests/s   CPU µs per request: server, database");
  for (const name of Object.keys(subjects)) {
    const [rate = "", ...cpu] = [of(name, "rate"), of(name, "server"), of(name, "database")].map((value) =>
      String(Math.round(value)),
    );
    console.log(`  ${name.padEnd(12)} ${rate.padStart(8)}   ${cpu.map((us) => us.padStart(6)).join(" ")}`);
  }
  const ratio = (what: string, one: keyof typeof subjects, other: keyof typeof subjects, goal: string) =>
    console.log(
      `${what.padEnd(58)} ${(of(one, "rate") / of(other, "rate")).toFixed(2).padStart(6)}   ${goal}`,
    );
  ratio("authenticated list / bare query, same server", "list", "bare", "≥ 0.5");
  ratio("authenticated list / the same list without the pipeline", "list", "unguarded", "");
  ratio("nine keys deep, limits on all / bare query, same server", "deep", "bare", "≥ 0.3");
  ratio("authenticated list / Next.js route with a bare query", "list", "next", "≥ 2");
  ratio("authenticated list / better-auth key verification", "list", "betterAuth", "≥ 3");
  for (const child of children.splice(0)) child.kill("SIGKILL");
  const { bare, delivered } = JSON.parse(told("webhooks.ts"));
  console.log(
    `Webhooks at ${CONNECTIONS} connections: ${Math.round(delivered)} deliveries/s, ${Math.round(bare)} bare posts/s`,
  );
  console.log(
    `${"webhook deliveries / bare undici POST loop".padEnd(58)} ${(delivered / bare).toFixed(2).padStart(6)}   ≥ 0.5`,
  );
  reportRuns(JSON.parse(told("runs.ts")));
  reportTransactions(JSON.parse(told("transactions.ts")));
  reportFiles(JSON.parse(told("files.ts")));
  reportDatabases(JSON.parse(told("databases.ts")));
  reportLarge(JSON.parse(told("large.ts")));
  reportQuotes(JSON.parse(told("quotes.ts")));
} finally {
  for (const child of children) child.kill("SIGKILL");
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
