import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import autocannon from "autocannon";
import { defined } from "../base/defined.ts";
import { span, telemetry, unnamed } from "../base/telemetry.ts";
import { startMetrics } from "../boot/metrics/start-metrics.ts";
import { portOf } from "../boot/processes.ts";
import { startTraces } from "../boot/traces/start-traces.ts";
import { startBenchApi } from "./bench-api.ts";
import { cpuOf } from "./cpu.ts";
import { median } from "./report.ts";

// Measures how metrics and traces slow a list down: `node telemetry.ts DATABASE_URL` prints its rate and CPU time with
// each as fractions of those with neither, medians of alternating rounds, as JSON. Without either, a list only asks
// whether it is measured: that is counted, and its time measured by itself, since no two rates show so little.
const databaseUrl = defined(process.argv[2]);
const MODES = ["off", "metrics", "a tenth of traces", "every trace"] as const;
type Mode = (typeof MODES)[number];
const ROUNDS = 5;
const SECONDS = 3;

const LISTS = 100;
const QUESTIONS = 5_000_000;

/** Returns the microseconds for which a list asks whether it is measured, while it is not. */
async function costOff(list: () => Promise<unknown>): Promise<number> {
  let asked = 0;
  const counted = {
    configurable: true,
    enumerable: true,
    get() {
      asked++;
      return null;
    },
  };
  Object.defineProperties(telemetry, { metrics: counted, tracing: counted });
  for (let nth = 0; nth < LISTS; nth++) await list();
  const plain = { configurable: true, enumerable: true, writable: true, value: null };
  Object.defineProperties(telemetry, { metrics: plain, tracing: plain });
  const done = Promise.resolve();
  const work = () => done;
  const timeOf = (ask: () => unknown) => {
    const started = performance.now();
    for (let nth = 0; nth < QUESTIONS; nth++) ask();
    return performance.now() - started;
  };
  const rounds = Array.from(
    { length: ROUNDS },
    () => timeOf(() => span("list", unnamed, work)) - timeOf(work),
  );
  return ((asked / LISTS) * 1000 * Math.max(median(rounds), 0)) / QUESTIONS;
}

/** The server's process; it changes its mode on request. */
async function serve(endpoint: string): Promise<void> {
  const { platform, port, post, createKey } = await startBenchApi(databaseUrl);
  const { headers } = await createKey(["projects:read", "projects:write"]);
  await post("/projects", headers, { name: "Web shop" });
  const traces = (ratio: number) =>
    startTraces({ endpoint, headers: {}, ratio, serviceName: "bench" }, platform.settings.release);
  const starts: Record<Mode, () => { stop(): unknown } | null | Promise<{ stop(): unknown }>> = {
    off: () => null,
    metrics: () =>
      startMetrics(
        platform,
        { port: 0, host: "127.0.0.1", token: null },
        { directUrl: databaseUrl, dataDir: ".", readsDatabase: true },
      ),
    "a tenth of traces": () => traces(0.1),
    "every trace": () => traces(1),
  };
  let stop: () => Promise<unknown> = async () => undefined;
  const list = async () => (await fetch(`http://127.0.0.1:${port}/v1/projects`, { headers })).json();
  process.on("message", async (mode: Mode | "cost off") => {
    await stop();
    stop = async () => undefined;
    if (mode === "cost off") {
      process.send?.(await costOff(list));
      return;
    }
    const started = await starts[mode]();
    stop = async () => started?.stop();
    process.send?.("changed");
  });
  process.send?.({ port, headers });
}

async function measure(): Promise<void> {
  const collector = createServer((message, answer) => {
    message.resume();
    answer.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const endpoint = `http://127.0.0.1:${portOf(collector)}`;
  const child = fork(import.meta.filename, [databaseUrl, endpoint]);
  const [{ port, headers }] = (await once(child, "message")) as [
    { port: number; headers: Record<string, string> },
  ];
  const measured = new Map(MODES.map((mode) => [mode, { rates: [] as number[], cpu: [] as number[] }]));
  for (let round = -1; round < ROUNDS; round++)
    for (const mode of MODES) {
      child.send(mode);
      await once(child, "message");
      const before = cpuOf(defined(child.pid));
      const { requests } = await autocannon({
        url: `http://127.0.0.1:${port}/v1/projects`,
        headers,
        connections: 64,
        duration: SECONDS,
      });
      // The first round warms up.
      if (round < 0) continue;
      measured.get(mode)?.rates.push(requests.average);
      measured.get(mode)?.cpu.push((cpuOf(defined(child.pid)) - before) / requests.total);
    }
  child.send("cost off");
  const [costOff] = (await once(child, "message")) as [number];
  child.kill("SIGKILL");
  collector.close();
  const off = defined(measured.get("off"));
  console.log(
    JSON.stringify({
      off: costOff / median(off.cpu),
      modes: Object.fromEntries(
        [...measured].map(([mode, { rates, cpu }]) => [
          mode,
          { rate: median(rates) / median(off.rates), cpu: median(cpu) / median(off.cpu) },
        ]),
      ),
    }),
  );
}

const collector = process.argv[3];
await (collector ? serve(collector) : measure());
