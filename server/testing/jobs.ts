import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import type { startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Works the platform's jobs, until `stop`. */
export function startJobs(api: Api) {
  return startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) });
}
