import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { holdLiveness } from "#server/base/liveness.ts";
import { startTriggerEngine } from "#server/triggers/trigger-engine.ts";
import type { Answered, startApi } from "./api.ts";
import { startReadyNode } from "./children.ts";
import { stopAtEnd } from "./cleanup.ts";
import { processPath } from "./program-path.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Headers = Record<string, string>;

/** Invokes an operation of `managed-triggers` with this key. */
export function invokeTriggers(
  api: Api,
  key: string,
  operationId: string,
  input: unknown,
  headers: Headers = {},
): Promise<Answered> {
  return api.send("POST", "/v1/services/managed-triggers/invoke", {
    key,
    body: { operationId, input },
    headers,
  });
}

/** Invokes an operation of `managed-triggers` that has to succeed; returns its result. */
export async function triggersDo(
  api: Api,
  key: string,
  operationId: string,
  input: unknown,
): Promise<Answered["body"]> {
  const body = { operationId, input };
  return (await api.mustSend(200, "POST", "/v1/services/managed-triggers/invoke", { key, body })).result;
}

/** The start of a run that ends at once. */
export const remember = {
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: "seen", content: "A tick." },
};

/** The start of a run that lasts. */
export const pause = {
  serviceId: "managed-workflows",
  operationId: "execute",
  input: { workflow: { name: "Pause", steps: [{ id: "pause", type: "wait", seconds: 3600 }] } },
};

/** Sets the triggers' clock to a time, or ahead of the database's by milliseconds. */
export async function setClock(api: Api, at: Date | number): Promise<void> {
  const ms = (typeof at === "number" ? Date.now() + at : at.getTime()) - Date.now();
  await api.platform.database.client.unsafe(`
    create or replace function trigger_clock() returns timestamptz language sql volatile as $$
      select date_trunc('milliseconds', clock_timestamp() + interval '${Math.round(ms)} ms')
    $$`);
}

/** Starts a worker for triggers in the test's own process. */
export async function startTriggers(api: Api, { slots = 4 } = {}) {
  const liveness = await holdLiveness(api.databaseUrl);
  const engine = await startTriggerEngine({ url: api.databaseUrl, liveness, slots });
  return stopAtEnd({
    async stop() {
      await engine.stop();
      await liveness.release();
    },
  });
}

/** Starts a worker for triggers as a separate process; resolves when it is running. */
export async function startTriggerProcess(api: Api, ...options: string[]): Promise<ChildProcess> {
  const program = processPath("trigger-worker");
  const { child } = await startReadyNode([program, api.databaseUrl, tmpdir(), ...options]);
  return child;
}

/** Returns a trigger's runs, in the order of their scheduled times. */
export async function runsOf(api: Api, key: string, triggerId: string): Promise<Answered["body"][]> {
  const runs = [];
  for (let cursor = ""; ; ) {
    const path = `/v1/runs?triggerId=${triggerId}&timeline=exclude&limit=100${cursor && `&cursor=${cursor}`}`;
    const { body } = await api.send("GET", path, { key });
    runs.push(...body.runs);
    if (body.nextCursor === null) break;
    cursor = body.nextCursor;
  }
  return runs.sort((one, other) => (one.scheduledAt < other.scheduledAt ? -1 : 1));
}
