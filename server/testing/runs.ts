import { holdLiveness } from "#server/jobs/liveness.ts";
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
