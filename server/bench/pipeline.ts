import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { defined } from "../base/defined.ts";
import type { Postgres } from "../boot/engines/postgres.ts";
import { freePort } from "../boot/processes.ts";
import { cpuOf } from "./cpu.ts";
import type { Measure } from "./report.ts";

export const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 4;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Measures the pipeline beside its components, in alternating rounds. */
export async function measurePipeline(cluster: Postgres): Promise<Record<string, Measure[]>> {
  const children: ChildProcess[] = [];
  try {
    const subjects = {
      ...(await startSubjects(cluster.url(), children)),
      next: await startNextApp(cluster.url(), children),
    };
    const measures = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as Measure[]]));
    for (const subject of Object.values(subjects)) await measureSubject(subject, cluster);
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, subject] of Object.entries(subjects))
        measures[name]?.push(await measureSubject(subject, cluster));
    return measures;
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}

/** Requests of one kind, and the server that answers them. */
export interface Subject {
  url: string;
  headers: Record<string, string>;
  /** The body of a POST; without it, the requests are GETs. */
  body?: object;
  /** The id of the server's process. */
  pid: number;
}

interface StartedServer {
  port: number;
  headers: Record<string, string>;
  tokenHeaders: Record<string, string>;
  deepHeaders: Record<string, string>;
  invokeHeaders: Record<string, string>;
  betterAuthKey: string;
}

/** Starts a server with the subjects of measurement, by the `subjects.ts` of these sources or of other ones. */
export async function startSubjects(
  databaseUrl: string,
  children: ChildProcess[],
  script = here("subjects.ts"),
): Promise<Record<string, Subject>> {
  const child = spawn(process.execPath, [script, databaseUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const ended = once(child, "exit").then(() => {
    throw new Error(`${script} ended before it could be measured.`);
  });
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const started: StartedServer = JSON.parse(line);
  const at = (path: string, headers: Record<string, string> = {}): Subject => ({
    url: `http://127.0.0.1:${started.port}${path}`,
    headers,
    pid: defined(child.pid),
  });
  return {
    list: at("/v1/projects", started.headers),
    token: at("/v1/projects", started.tokenHeaders),
    deep: at("/v1/projects", started.deepHeaders),
    invoke: {
      ...at("/v1/services/managed-memory/invoke", started.invokeHeaders),
      body: { operationId: "get", input: { name: "greeting" } },
    },
    bare: at("/bare"),
    unguarded: at("/unguarded"),
    betterAuth: at("/better-auth", { "x-api-key": started.betterAuthKey }),
  };
}

async function startNextApp(databaseUrl: string, children: ChildProcess[]): Promise<Subject> {
  const next = here("../../node_modules/next/dist/bin/next");
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: databaseUrl,
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
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, headers: {}, pid: defined(child.pid) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The Next.js app did not start.");
}

/** Measures one round of a subject. */
export async function measureSubject(
  { url, headers, body, pid }: Subject,
  cluster: Postgres,
): Promise<Measure> {
  const before = { server: cpuOf(pid), database: cpuOf(cluster.pid) };
  const { requests, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
    ...(body && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json", "idempotency-key": "[<id>]" },
      idReplacement: true,
    }),
  });
  if (non2xx + errors > 0)
    throw new Error(`${url}: ${non2xx} answers were refusals, ${errors} calls failed.`);
  return {
    rate: requests.average,
    server: (cpuOf(pid) - before.server) / requests.total,
    database: (cpuOf(cluster.pid) - before.database) / requests.total,
  };
}
