import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import autocannon from "autocannon";
import { defined } from "../base/defined.ts";
import { startBenchApi } from "./bench-api.ts";
import { cpuOf } from "./cpu.ts";
import { median } from "./report.ts";

// Measures how a thousand open streams slow a list down: `node streams.ts DATABASE_URL` prints its rate and CPU time
// with them as fractions of those without, medians of alternating rounds, and how long after its commit an entry
// arrives, as JSON.
const databaseUrl = defined(process.argv[2]);
const ACCOUNTS = 10;
/** The maximum of streams per account; half follow a run each, half the account's events. */
const STREAMS = 100;
const ROUNDS = 5;
const SECONDS = 3;

interface Followed {
  headers: Record<string, string>;
  runIds: string[];
}

async function serve(): Promise<void> {
  const { port, post, createKey } = await startBenchApi(databaseUrl);
  const accounts: Followed[] = [];
  for (let nth = 0; nth < ACCOUNTS; nth++) {
    const scopes = [
      "projects:read",
      "projects:write",
      "runs:read",
      "runs:write",
      "services:invoke",
      "webhooks:read",
    ];
    const { headers } = await createKey(scopes, { credits: 10_000 });
    await post("/projects", headers, { name: "Web shop" });
    const runIds: string[] = [];
    // No worker is running: they stay queued until they are cancelled.
    for (let run = 0; run < STREAMS / 2; run++) {
      const made = await post("/runs", headers, {
        serviceId: "managed-memory",
        operationId: "list",
        input: {},
      });
      runIds.push(made.run.id);
    }
    accounts.push({ headers, runIds });
  }
  process.send?.({ port, accounts });
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, [databaseUrl, "serve"]);
  const [{ port, accounts }] = (await once(child, "message")) as [{ port: number; accounts: Followed[] }];
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

  async function open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const sent = request({ port, host: "127.0.0.1", path: `/v1${path}`, headers, agent }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${path} answers ${answer.statusCode}.`);
    return answer.on("error", () => undefined).resume();
  }
  async function openAll(): Promise<IncomingMessage[]> {
    const streams: IncomingMessage[] = [];
    for (const { headers, runIds } of accounts)
      streams.push(
        ...(await Promise.all(
          runIds.flatMap((id) => [open(`/runs/${id}/events`, headers), open("/events", headers)]),
        )),
      );
    return streams;
  }

  const measured = {
    without: { rates: [] as number[], cpu: [] as number[] },
    with: { rates: [] as number[], cpu: [] as number[] },
  };
  const [first] = accounts as [Followed];
  for (let round = -1; round < ROUNDS; round++)
    for (const mode of ["without", "with"] as const) {
      const streams = mode === "with" ? await openAll() : [];
      const before = cpuOf(defined(child.pid));
      const { requests } = await autocannon({
        url: `http://127.0.0.1:${port}/v1/projects`,
        headers: first.headers,
        connections: 64,
        duration: SECONDS,
      });
      const cpu = (cpuOf(defined(child.pid)) - before) / requests.total;
      for (const stream of streams) stream.destroy();
      // The first round warms up.
      if (round < 0) continue;
      measured[mode].rates.push(requests.average);
      measured[mode].cpu.push(cpu);
    }
  const delays = await Promise.all(first.runIds.map((id) => delayOf(port, id, first.headers, open)));
  child.kill("SIGKILL");
  const { with: open1000, without } = measured;
  console.log(
    JSON.stringify({
      rate: median(open1000.rates) / median(without.rates),
      cpu: median(open1000.cpu) / median(without.cpu),
      delayMs: median(delays),
      mostDelayMs: Math.max(...delays),
    }),
  );
}

/** Returns how long after its commit the entry of a run's end reaches a follower. */
async function delayOf(
  port: number,
  runId: string,
  headers: Record<string, string>,
  open: (path: string, headers: Record<string, string>) => Promise<IncomingMessage>,
): Promise<number> {
  const stream = await open(`/runs/${runId}/events`, headers);
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    arrived ??= text.includes('"status":"cancelling"') ? Date.now() : undefined;
  });
  let arrived: number | undefined;
  const ended = once(stream, "end");
  await fetch(`http://127.0.0.1:${port}/v1/runs/${runId}/cancel`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": `bench-${runId}` },
    body: "{}",
  });
  await ended;
  const at = /"at":"([^"]+)"[^\n]*"status":"cancelling"/.exec(text)?.[1] ?? "";
  return (arrived ?? Number.NaN) - Date.parse(at);
}

await (process.argv[3] === "serve" ? serve() : measure());
