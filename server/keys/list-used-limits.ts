import { sql } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "#db/schema/keys.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { operation } from "#server/operation/operation.ts";
import { UsedLimit } from "./access/schema.ts";
import { manageableKeys } from "./queries.ts";

const MAX_IDS = 100;

interface Row extends Record<string, unknown> {
  key_id: string;
  selector: string;
  requests_per_minute: number | null;
  max_concurrent: number | null;
  credits_per_day: string | null;
  requests: number;
  active: number;
  runs: number;
  credits: string;
}

export const listUsedLimits = operation({
  id: "apiKeys.limits.list",
  method: "GET",
  path: "/api-keys/limits",
  surfaces: ["console"],
  summary: "List the current use of keys' limits",
  description:
    "For members: lists each key's own limits with their current use. A call counts against the limits of the keys above, too.",
  scope: "api_keys:manage",
  query: z.object({
    ids: z.string().max(5000).describe("Comma-separated ids of keys; unknown ids are ignored."),
  }),
  output: z.object({ limits: z.array(UsedLimit).describe("The limits, ordered by key, selector and kind.") }),

  async handler({ query, caller, db }) {
    const ids = query.ids.split(",", MAX_IDS).flatMap((id) => uuidOf("apiKey", id) ?? []);
    if (ids.length === 0) return { limits: [] };
    const account = toUuid("account", caller.accountId);
    const rows = await db.execute<Row>(sql`
      select l.key_id, l.selector, l.requests_per_minute, l.max_concurrent, l.credits_per_day,
        coalesce((select sum(u.n) from unnest(r.at, r.admitted) u(at, n)
          where u.at > extract(epoch from clock_timestamp()) * 1000 - 60000), 0)::int as requests,
        coalesce(r.active, 0) as active,
        case when l.max_concurrent is null then 0 else live_runs(${account}::uuid, l.key_id, l.selector, l.max_concurrent) end::int as runs,
        coalesce(d.used, 0) as credits
      from key_limits l
      join api_keys k on k.account_id = l.account_id and k.id = l.key_id
      left join rate_limit_counters r on r.key_id = l.key_id and r.selector = l.selector
      left join key_days d on d.account_id = l.account_id and d.key_id = l.key_id and d.selector = l.selector
        and d.day = (now() at time zone 'utc')::date
      where l.account_id = ${account}::uuid and l.key_id = any(${sql.param(ids)}::uuid[])
        and exists (select from ${apiKeys} where ${apiKeys.id} = k.id and ${manageableKeys(caller)})
      order by l.key_id, l.selector`);
    return { limits: rows.flatMap(usedOf) };
  },
});

function usedOf(row: Row): z.input<typeof UsedLimit>[] {
  const limits = {
    requestsPerMinute: { value: row.requests_per_minute, used: row.requests },
    maxConcurrent: { value: row.max_concurrent, used: row.active + row.runs },
    creditsPerDay: { value: row.credits_per_day, used: Number(row.credits) },
  } as const;
  return keysOf(limits).flatMap((kind) => {
    const { value, used } = limits[kind];
    if (value === null) return [];
    return [{ keyId: idOf("apiKey", row.key_id), selector: row.selector, kind, value: Number(value), used }];
  });
}
