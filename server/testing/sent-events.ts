import { type Answered, type startApi, unique } from "./api.ts";
import { eventually } from "./eventually.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Sends an event with this key. */
export function sendEvent(
  api: Api,
  key: string,
  input: unknown,
  headers: Record<string, string> = {},
  idempotencyKey = unique("event"),
): Promise<Answered> {
  return api.send("POST", "/v1/services/managed-events/invoke", {
    key,
    body: { operationId: "send", input },
    headers,
    idempotencyKey,
  });
}

/** Returns the effects of an accepted event. */
export async function sent(
  api: Api,
  key: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<{ eventId: string; resumed: number; started: number; repeated: boolean }> {
  const body = { operationId: "send", input };
  const path = "/v1/services/managed-events/invoke";
  return (await api.mustSend(200, "POST", path, { key, body, headers })).result;
}

/** Returns a run's current wait, once it waits. */
export async function waitsOf(api: Api, key: string, runId: string): Promise<Answered["body"][]> {
  return eventually(async () => {
    const { run } = await api.mustSend(200, "GET", `/v1/runs/${runId}`, { key });
    if (run.waitsFor.length > 0) return run.waitsFor;
    if (run.finishedAt)
      throw new Error(`The run ${runId} waits for nothing: ${run.status} ${JSON.stringify(run.error)}.`);
    return undefined;
  });
}
