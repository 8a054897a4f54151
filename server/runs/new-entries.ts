import { batched } from "#server/base/batch.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { NewItems } from "#server/operation/follow.ts";
import { platform } from "#server/platform.ts";
import type { RunView } from "./queries.ts";

/** The position up to which a follower has read a run's timeline. Ids in their public form. */
export interface ReadUpTo {
  accountId: string;
  runId: string;
  seq: number;
}

export type Entry = RunView["timeline"][number];

// The maximum that is read for one client at a time, and so the maximum that waits for it.
const ENTRIES = 100;
const BYTES = 64 * 1024;

interface Row extends Omit<Entry, "at"> {
  n: number;
  at: number;
  last_seq: number;
  ended: boolean;
}

/** Reads the next entries of a run's timeline; all followers in this process share round trips. */
export const newEntries = batched<ReadUpTo, NewItems<Entry>>(
  async (asked) => {
    const rows = await platform().database.client<Row[]>`
      select q.n::int as n, r.last_seq, r.finished_at is not null as ended, e.*
      from unnest(
        ${asked.map(({ accountId }) => uuidOf("account", accountId))}::uuid[],
        ${asked.map(({ runId }) => uuidOf("run", runId))}::uuid[],
        ${asked.map(({ seq }) => seq)}::int[]
      ) with ordinality q(account_id, run_id, after, n)
      join runs r on r.account_id = q.account_id and r.id = q.run_id
      left join lateral (
        select s.seq, (extract(epoch from s.at) * 1000)::float8 as at, s.type, s.step, s.level, s.message, s.data
        from (
          select t.*, sum(octet_length(t.message) + coalesce(octet_length(t.data::text), 0)) over (order by t.seq) as bytes,
            row_number() over (order by t.seq) = 1 as is_first
          from (
            select * from run_timeline l
            where l.account_id = q.account_id and l.run_id = q.run_id and l.seq > q.after
            order by l.seq limit ${ENTRIES}) t) s
        where s.bytes <= ${BYTES} or s.is_first
      ) e on true
      order by q.n, e.seq`;
    const found = Map.groupBy(rows, ({ n }) => n - 1);
    return asked.map((_, nth) => newOf(found.get(nth) ?? []));
  },
  { name: "follow.runs", inFlight: 1, size: 256, slowMs: 250 },
);

/** A run whose rows were dropped meanwhile has ended. */
function newOf(rows: readonly Row[]): NewItems<Entry> {
  const [first] = rows;
  if (!first) return { items: [], more: false, ended: true };
  const items = rows.flatMap(({ seq, at, type, step, level, message, data }) =>
    seq === null ? [] : [{ seq, at: new Date(at).toISOString(), type, step, level, message, data }],
  );
  const more = items.length > 0 && items.at(-1)?.seq !== first.last_seq;
  return { items, more, ended: first.ended && !more };
}
