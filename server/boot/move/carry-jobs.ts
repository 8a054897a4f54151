import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { idOf } from "#server/base/ids.ts";

const POLL_MS = 50;

interface StoredJob {
  task: string;
  payload: unknown;
  queue: string | null;
  run_at: string;
  attempts: number;
  max_attempts: number;
  last_error: string | null;
  key: string | null;
  priority: number;
  running: boolean;
}

/**
 * Returns the jobs of a frozen account. Workers still claim each that is due, and replace it with another a second later;
 * in between both are stored. So this locks the jobs, which workers then pass over, and waits for those that are claimed.
 */
function readJobs(source: postgres.Sql, account: string): Promise<StoredJob[]> {
  const accountId = idOf("account", account);
  return source.begin(async (tx) => {
    for (;;) {
      await tx`
        select from graphile_worker._private_jobs j
        where j.payload ->> 'accountId' = ${accountId} and j.locked_at is null for update skip locked`;
      const jobs = await tx<StoredJob[]>`
        select t.identifier as task, j.payload, q.queue_name as queue, j.run_at::text as run_at,
          j.attempts, j.max_attempts, j.last_error, j.key, j.priority,
          j.locked_at is not null and process_lives(j.locked_by) as running
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
        where j.payload ->> 'accountId' = ${accountId} order by j.id`;
      if (!jobs.some(({ running }) => running)) return jobs;
      await sleep(POLL_MS);
    }
  });
}

/** Copies jobs, which have no column for the account: their payload names it. Returns their number. */
export async function carryJobs(
  source: postgres.Sql,
  target: postgres.Sql,
  account: string,
): Promise<number> {
  const jobs = await readJobs(source, account);
  await target.begin(async (tx) => {
    const added = await tx<{ id: string; attempts: number; last_error: string | null }[]>`
      select added.id, j.attempts, j.last_error
      from jsonb_to_recordset(${JSON.stringify(jobs)}::text::jsonb) as j (task text, payload json, queue text, run_at timestamptz,
        attempts int, max_attempts int, last_error text, key text, priority int),
      lateral graphile_worker.add_job(j.task, j.payload, queue_name => j.queue, run_at => j.run_at,
        max_attempts => j.max_attempts, job_key => j.key, priority => j.priority) added`;
    // A job that was given up stays so.
    await tx`
      update graphile_worker._private_jobs p set attempts = j.attempts, last_error = j.last_error
      from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) as j (id bigint, attempts int, last_error text)
      where p.id = j.id`;
  });
  return jobs.length;
}

/** Deletes the jobs of an account. */
export async function deleteJobs(sql: postgres.Sql, account: string): Promise<void> {
  for (;;) {
    const jobs = await sql<{ id: string }[]>`
      select id from graphile_worker._private_jobs where payload ->> 'accountId' = ${idOf("account", account)}`;
    if (jobs.length === 0) return;
    await sql`select graphile_worker.complete_jobs(${jobs.map(({ id }) => id)}::bigint[])`;
    // A worker may have locked one of them for a moment, to postpone it.
    await sleep(POLL_MS);
  }
}
