import { existsSync } from "node:fs";
import { CONNECTIONS, connectionsOf } from "#db/connections.ts";
import { log } from "../base/log.ts";
import { readEnv } from "../env/read-env.ts";
import { checkConnections } from "./connections.ts";
import { startEngines } from "./engines/engines.ts";
import { ensureWorkerHeap } from "./heap-options.ts";
import { checkPort } from "./processes.ts";
import { explainStart, runProcess, STOP_MS, type Stop, stopAll } from "./run-process.ts";
import { PartFailed, supervise } from "./supervisor.ts";

/** Starts the parts of this process's role; adds their ends to `stops`, which run in reverse order. */
async function start(stops: Stop[]) {
  const env = readEnv();
  const { role } = env;
  if (role === "worker") ensureWorkerHeap();
  const measured = env.metrics !== null;
  const web = role === "web" || role === "all";
  if (web) await checkPort(env.port);
  const engineStops: Stop[] = [];
  stops.push(() => stopAll(engineStops));
  // In development, one process is restarted at every edit.
  if (role === "all" && env.production) {
    const supervisor = supervise(["worker", "web"], stops);
    const { engines, guard } = await startEngines(env, engineStops);
    const needed = connectionsOf("web", measured) + connectionsOf("worker", measured) + CONNECTIONS.relayer;
    await checkConnections(engines.directUrl, needed);
    await supervisor.begin(engines, guard);
  } else {
    const { startParts } = await import("./parts.ts");
    const starting = startEngines(env, engineStops).then(async ({ engines }) => {
      await checkConnections(engines.directUrl, connectionsOf(role, measured));
      return engines;
    });
    const has = (part: typeof role) => role === part || role === "all";
    await startParts({ web, worker: has("worker"), relayer: has("relayer") }, env, starting, stops);
  }
  console.log(web ? `Open ${env.baseUrl}` : `The ${role} is running.`);
}

function explain(error: Error) {
  const text = error instanceof PartFailed ? error.message : explainStart(error);
  if (text !== null) log.error(text);
  else log.error("The platform did not start.", { error });
}

if (existsSync(".env")) process.loadEnvFile();
const stop = runProcess(start, { stopMs: STOP_MS, explain });
process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
