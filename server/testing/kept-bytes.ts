import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** The bytes that may be missing in an account's sum for each running run, and for each ended one. */
const SLACK = { live: 65_536, ended: 1024 };

/** Counts the accounts' stored bytes again; returns the differences from the platform's counts. */
export async function keptBytesFaults(db: Db): Promise<string[]> {
  const wrong = await db.execute<{ fault: string }>(sql`
    with recounted as (
      select r.id, r.kept_bytes as kept, r.counted_bytes as counted, r.finished_at,
        coalesce(octet_length(r.input), 0) + coalesce(octet_length(r.result), 0)
        + coalesce((select sum(octet_length(s.output)) from run_steps s where s.account_id = r.account_id and s.run_id = r.id), 0)
        + coalesce((select sum(octet_length(c.answer)) from callbacks c where c.account_id = r.account_id and c.run_id = r.id), 0)
        + coalesce((select sum(greatest(256, octet_length(e.message) + coalesce(octet_length(e.data::text), 0))) from run_timeline e
          where e.account_id = r.account_id and e.run_id = r.id and e.type <> 'state'), 0) as actual
      from runs r where r.kept_bytes is not null),
    sums as (
      select account_id, kind, sum(bytes) as bytes from kept_bytes group by 1, 2),
    expected as (
      select r.account_id, 'runs' as kind, sum(counted_of(r)) as bytes from runs r group by 1
      union all select e.account_id, 'events', sum(event_bytes(e.data, e.headers)) from sent_events e
      where e.space <> '00000000-0000-0000-0000-000000000000' group by 1
      union all select m.account_id, 'memories', sum(memory_bytes(m)) from memories m group by 1
      union all select v.account_id, 'workflows', sum(version_bytes(v)) from workflow_versions v group by 1)
    select 'Run ' || id || ' keeps ' || actual || ' bytes, not ' || kept || '.' as fault from recounted where kept <> actual
    union all select 'Of run ' || id || ', which keeps ' || kept || ' bytes, ' || counted || ' are counted.' from recounted
    where abs(kept - counted) >= case when finished_at is null then ${SLACK.live}::int else ${SLACK.ended}::int end
    union all select 'The ' || kind || ' of ' || account_id || ' are counted as ' || coalesce(s.bytes, 0) || ' bytes, and are '
      || coalesce(x.bytes, 0) || ' in sum.'
    from sums s full join expected x using (account_id, kind) where coalesce(s.bytes, 0) <> coalesce(x.bytes, 0)`);
  return [...wrong].map(({ fault }) => fault);
}
