import { log } from "../base/log.ts";
import { readEnv } from "../env/read-env.ts";
import { isConnectionLost } from "../operation/faults.ts";
import type { Engines } from "./engines/engines.ts";
import { startParts } from "./parts.ts";
import { explainStart, runProcess, type Stop } from "./run-process.ts";
import type { FromPart, PartName, ToPart } from "./supervisor.ts";

// Runs a part of the platform as a process of its own, under the supervisor: `node main.ts part web`.
const name = process.argv[3] as PartName;
const web = name === "web";
const engines = Promise.withResolvers<Engines>();
const worker = { running: false };

/** Sends a message to the supervisor; resolves when the message has left this process. */
function send(message: FromPart) {
  return new Promise<void>((done) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => done());
    else done();
  });
}

async function start(stops: Stop[]) {
  const env = readEnv();
  // Both parts have the same settings, and the web is the first to listen.
  if (env.metrics && !web) env.metrics.port += 1;
  const platform = await startParts({ web, worker: !web, relayer: !web }, env, engines.promise, stops);
  if (web) platform.worker = worker;
  await send({ ready: true });
}

async function explain(error: Error) {
  const fault = explainStart(error);
  if (fault !== null) await send({ fault });
  else log.error("A part of the platform did not start.", { part: name, error });
  if (isConnectionLost(error) || isConnectionLost(error.cause)) await send({ databaseLost: true });
}

const stop = runProcess(start, { stopMs: 15_000, explain });

process.on("message", (message: ToPart) => {
  if ("engines" in message) engines.resolve(message.engines);
  if ("workerRuns" in message) worker.running = message.workerRuns;
  if ("stop" in message) void stop(0);
});
// The supervisor has ended: the next one starts parts of its own.
process.on("disconnect", () => void stop(1));
if (!process.connected) void stop(1);
process.on("SIGTERM", () => void stop(0));
// Ctrl-C reaches every process of the terminal; the supervisor stops the parts in order.
process.on("SIGINT", () => undefined);
