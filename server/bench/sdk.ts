import { fork } from "node:child_process";
import { once } from "node:events";
import { Platform } from "../../clients/typescript/src/index.ts";
import { defined } from "../base/defined.ts";
import { startBenchApi } from "./bench-api.ts";
import { median } from "./report.ts";

// Measures the overhead of the SDK on a call beside bare `fetch`: `node sdk.ts DATABASE_URL` prints the CPU time of the
// caller's process and the duration of a call, medians of alternating rounds, in microseconds as JSON.
const databaseUrl = defined(process.argv[2]);
const ROUNDS = 15;
const CALLS = 400;

/** The server's process. */
async function serve(): Promise<void> {
  const { port, createKey } = await startBenchApi(databaseUrl);
  process.send?.({ port, ...(await createKey(["services:read"])) });
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, [databaseUrl, "serve"]);
  const [{ port, headers }] = (await once(child, "message")) as [
    { port: number; headers: { authorization: string } },
  ];
  const baseUrl = `http://127.0.0.1:${port}`;
  const platform = new Platform({ apiKey: headers.authorization.replace("Bearer ", ""), baseUrl });
  const subjects = {
    bare: async () => (await fetch(`${baseUrl}/v1/services`, { headers })).json(),
    sdk: () => platform.services.list(),
  };
  const measured = {
    bare: { cpu: [] as number[], time: [] as number[] },
    sdk: { cpu: [] as number[], time: [] as number[] },
  };
  // The first round warms up.
  for (let round = -1; round < ROUNDS; round++)
    for (const name of ["bare", "sdk"] as const) {
      const [cpu, began] = [process.cpuUsage(), performance.now()];
      for (let call = 0; call < CALLS; call++) await subjects[name]();
      const { user, system } = process.cpuUsage(cpu);
      if (round < 0) continue;
      measured[name].cpu.push((user + system) / CALLS);
      measured[name].time.push(((performance.now() - began) * 1000) / CALLS);
    }
  child.kill("SIGKILL");
  const of = ({ cpu, time }: { cpu: number[]; time: number[] }) => ({ cpu: median(cpu), time: median(time) });
  console.log(JSON.stringify({ bare: of(measured.bare), sdk: of(measured.sdk) }));
}

await (process.argv[3] ? serve() : measure());
