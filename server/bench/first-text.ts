import { Platform } from "../../clients/typescript/src/index.ts";
import { defined } from "../base/defined.ts";
import { holdLiveness } from "../base/liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { type Scripted, startModelServer } from "../testing/model-server.ts";
import { startBenchApi } from "./bench-api.ts";
import { median } from "./report.ts";

// Measures when a follower of a run gets a model's first token: `node first-text.ts DATABASE_URL` prints the median and
// the slowest of consecutive runs, as JSON.
const databaseUrl = defined(process.argv[2]);
const RUNS = 50;
const WARM_UP = 5;

let answer: Scripted = {};
const model = await startModelServer(() => answer);
const { port, createKey, close } = await startBenchApi(databaseUrl, {
  settings: { model: { baseUrl: model.baseUrl, names: ["small"], apiKey: "sk-bench" } },
});
const liveness = await holdLiveness(databaseUrl);
const engine = await startRunEngine({
  url: databaseUrl,
  directUrl: databaseUrl,
  liveness,
  slots: 2,
  perAccount: 2,
});
const { headers } = await createKey(["runs:read", "runs:write", "services:invoke"], { credits: 1_000_000 });
const platform = new Platform({
  apiKey: headers.authorization.replace("Bearer ", ""),
  baseUrl: `http://127.0.0.1:${port}`,
});

/** Starts a run, lets its model write once the run is followed, and returns the milliseconds until the text arrives. */
async function firstTextMs(): Promise<number> {
  const followed = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  answer = { text: [followed.promise, "Once", arrived.promise, " upon a time."] };
  const run = await platform.runs.create({
    serviceId: "managed-agents",
    operationId: "respond",
    input: { input: "Tell a story." },
  });
  let written = Number.NaN;
  let ms = Number.NaN;
  const onOutput = () => {
    if (Number.isNaN(ms)) ms = performance.now() - written;
    arrived.resolve();
  };
  for await (const { type, data } of platform.runs.follow(run.id, { onOutput })) {
    if (type !== "step" || data?.status !== "sent") continue;
    written = performance.now();
    followed.resolve();
  }
  return ms;
}

const times: number[] = [];
for (let nth = 0; nth < WARM_UP + RUNS; nth++) {
  const ms = await firstTextMs();
  if (nth >= WARM_UP) times.push(ms);
}
console.log(JSON.stringify({ textMs: median(times), mostTextMs: Math.max(...times) }));
await engine.stop();
await liveness.release();
await model.stop();
await close();
