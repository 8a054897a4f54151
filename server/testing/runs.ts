import type { ChildProcess } from "node:child_process";
import { sql } from "drizzle-orm";
import { uuidOf } from "#server/base/ids.ts";
import { holdLiveness } from "#server/base/liveness.ts";
import { startRunEngine } from "#server/runs/run-engine.ts";
import type { Answered, startApi } from "./api.ts";
import { startReadyNode } from "./children.ts";
import { stopAtEnd } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { processPath } from "./program-path.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Starts a worker for runs in the test's own process. */
export async function startRuns(api: Api, { slots = 4, perAccount = 2 } = {}) {
  const url = api.databaseUrl;
  const liveness = await holdLiveness(url);
  const engine = await startRunEngine({ url, directUrl: url, liveness, slots, perAccount });
  return stopAtEnd({
    async stop() {
      await engine.stop();
      await liveness.release();
    },
  });
}

/** Creates a run with this key. */
export function createRun(
  api: Api,
  key: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return api.sendPatiently("POST", "/v1/runs", { key, body, headers });
}

/** Returns the run once it has this status. */
export async function runWith(
  api: Api,
  key: string,
  runId: string,
  status: string,
): Promise<Answered["body"]> {
  return eventually(async () => {
    const { run } = await api.mustSend(200, "GET", `/v1/runs/${runId}`, { key });
    return run.status === status ? run : undefined;
  });
}

/** Returns how often workers have claimed the run. */
export async function timesClaimed({ platform }: Api, runId: string): Promise<number | undefined> {
  const { client } = platform.database;
  const [row] = await client<{ fence: number }[]>`select fence from runs where id = ${uuidOf("run", runId)}`;
  return row?.fence;
}

/**
 * Ends the wait of this name once the run has reached it; does nothing if the wait has ended, so that a call may be
 * repeated.
 */
export async function endWait(api: Api, runId: string, name: string): Promise<void> {
  const { client } = api.platform.database;
  const uuid = uuidOf("run", runId);
  await eventually(async () => {
    const [reached] = await client<{ id: string | null }[]>`
      with step as (select state, wake_at > now() as waits from run_steps where run_id = ${uuid} and name = ${name}),
        woken as (
          update runs set wake_at = now() where id = ${uuid} and wake_at > now()
            and exists (select from step where state = 'waiting' and waits) returning id
        ),
        ended as (update run_steps set wake_at = now() from woken where run_id = woken.id and name = ${name})
      select woken.id from step left join woken on true
        where woken.id is not null or state <> 'waiting' or not waits`;
    if (reached) return reached;
    const [run] = await client`select status from runs where id = ${uuid} and finished_at is not null`;
    if (run) throw new Error(`The run ${runId} never waited for ${name}: it is ${run.status}.`);
    return undefined;
  });
}

/** Creates the table in which scripted steps record their effects. */
export async function createEffects(api: Api): Promise<void> {
  await api.platform.database.db.execute(
    sql`create table effects (run text not null, name text not null, at timestamptz not null default clock_timestamp())`,
  );
}

/** Plays a script as a run of this key; returns its id. */
export async function play(
  api: Api,
  key: string,
  actions: unknown[],
  more: Record<string, unknown> = {},
  killAt?: string,
): Promise<string> {
  const input = { actions, killAt };
  const body = { serviceId: "scripted", operationId: "play", input, ...more };
  const { run } = await api.mustSend(202, "POST", "/v1/runs", { key, body });
  return run.id;
}

/** Starts a worker as a process of its own, which may be killed; resolves when it is running. */
export async function startWorkerProcess(
  api: Api,
  blobs: string,
  slots = 1,
  ...options: string[]
): Promise<ChildProcess> {
  const program = processPath("run-worker");
  const { child } = await startReadyNode([program, api.databaseUrl, blobs, String(slots), ...options]);
  return child;
}
