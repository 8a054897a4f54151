import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { log } from "#server/base/log.ts";
import type { Job } from "./enqueue-job.ts";

/**
 * The tasks of resources that nothing else continues. Each job is added in the transaction after which its resource
 * waits.
 */
const TASKS: readonly Job["task"][] = [
  "advanceTransaction",
  "advanceSignature",
  "advanceOrder",
  "removeEmptyDatabase",
];

/**
 * Makes failed jobs of these tasks due, with new attempts if all are used up: the library pauses up to six hours between
 * two attempts, and stops after 25.
 */
export async function resumeJobs(db: Db): Promise<void> {
  const resumed = await db.execute<{ task: string; jobs: number }>(sql`
    with failed as (
      select job.id, task.identifier, job.attempts >= job.max_attempts as given_up
      from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = any(${sql.param(TASKS)}::text[]) and job.locked_at is null and job.attempts > 0
        and (job.attempts >= job.max_attempts or job.run_at > now() + interval '1 minute')),
    due as (
      select j.id from (select given_up, array_agg(id) as ids from failed group by 1) f,
        graphile_worker.reschedule_jobs(f.ids, now(), attempts => case when f.given_up then 0 end) j)
    select f.identifier as task, count(*)::int as jobs
    from failed f join due on due.id = f.id where f.given_up group by 1`);
  for (const { task, jobs } of resumed) log.error(`${jobs} of ${task} were given up, and are tried again.`);
}
