-- Adds a job. A newer job replaces one with the same key that has not begun. If a worker takes the queued job at the
-- same moment, the library adds nothing, although that job may have begun before it could see this transaction's
-- changes; asked again, the library sees that and adds a job.
drop function if exists enqueue_job(text, json, text, timestamptz, int, text);
create or replace function enqueue_job(p_task text, p_payload json, p_key text default null, p_run_at timestamptz default null,
  p_max_attempts int default null, p_queue text default null, p_priority int default null) returns void language plpgsql as $$
declare
  added bigint;
begin
  while added is null loop
    select j.id into added from graphile_worker.add_job(p_task, p_payload, queue_name => p_queue, run_at => p_run_at,
      max_attempts => p_max_attempts, job_key => p_key, priority => p_priority) j;
  end loop;
end $$;
