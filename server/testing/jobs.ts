import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import type { startApi } from "./api.ts";
import { stopAtEnd } from "./cleanup.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Executes the platform's jobs until `stop`. */
export async function startJobs(api: Api) {
  return stopAtEnd(await startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) }));
}
