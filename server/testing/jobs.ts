import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import type { startApi } from "./api.ts";
import { stopAtEnd } from "./cleanup.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Executes the platform's jobs until `stop`, so many at once. */
export async function startJobs(api: Api, { concurrency }: { concurrency?: number } = {}) {
  const tasks = makeTasks(api.platform);
  return stopAtEnd(
    await startWorker({ url: api.databaseUrl, tasks, ...(concurrency !== undefined && { concurrency }) }),
  );
}
