import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { sql } from "drizzle-orm";
import { afterAll } from "vitest";
import { uuidOf } from "#server/ids.ts";
import { holdLiveness } from "#server/liveness.ts";
import { startRunEngine } from "#server/runs/run-engine.ts";
import type { Answered, startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** A worker for runs, in the test's own process. */
export async function startRuns(api: Api, { slots = 4, perAccount = 2 } = {}) {
  const url = api.databaseUrl;
  const liveness = await holdLiveness(url);
  const engine = await startRunEngine({ url, directUrl: url, liveness, slots, perAccount });
  return {
    async stop() {
      await engine.stop();
      await liveness.release();
    },
  };
}

/** Creates a run with this key. */
export function createRun(
  api: Api,
  key: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return api.send("POST", "/v1/runs", { key, body, headers });
}

/** The run once it has this status. */
export async function runWith(
  api: Api,
  key: string,
  runId: string,
  status: string,
): Promise<Answered["body"]> {
  for (;;) {
    const { body } = await api.send("GET", `/v1/runs/${runId}`, { key });
    if (body.run.status === status) return body.run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ends what a run waits for by its time, once it waits. */
export async function endWait(api: Api, runId: string): Promise<void> {
  const { client } = api.platform.database;
  const uuid = uuidOf("run", runId);
  for (;;) {
    const [ended] = await client`
      with waiting as (update runs set wake_at = now() where id = ${uuid} and wake_at > now() returning id)
      update run_steps set wake_at = now() from waiting where run_id = waiting.id and state = 'waiting' returning run_id`;
    if (ended) return;
    const [run] = await client`select status from runs where id = ${uuid} and finished_at is not null`;
    if (run) throw new Error(`The run ${runId} waits for nothing: it is ${run.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The table in which scripted steps leave their effects. */
export async function createEffects(api: Api): Promise<void> {
  await api.platform.database.db.execute(
    sql`create table effects (run text not null, name text not null, at timestamptz not null default clock_timestamp())`,
  );
}

/** Plays a script as a run of this key; its id. */
export async function play(
  api: Api,
  key: string,
  actions: unknown[],
  more: Record<string, unknown> = {},
  killAt?: string,
): Promise<string> {
  const input = { actions, killAt };
  const { status, body } = await createRun(api, key, {
    serviceId: "scripted",
    operationId: "play",
    input,
    ...more,
  });
  if (status !== 202) throw new Error(`No run: ${JSON.stringify(body)}`);
  return body.run.id;
}

/** A worker as a process of its own, which may be killed; it has begun when this answers. */
export async function startWorkerProcess(
  api: Api,
  blobs: string,
  slots = 1,
  ...options: string[]
): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ["server/testing/run-worker.ts", api.databaseUrl, blobs, String(slots), ...options],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  afterAll(() => void child.kill("SIGKILL"));
  await once(createInterface(child.stdout), "line");
  return child;
}
