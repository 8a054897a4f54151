import { sql } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "#db/schema/keys.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { KeyCalls } from "./access/schema.ts";
import { manageableKeys } from "./queries.ts";

const MAX_IDS = 100;

export const listKeyCalls = operation({
  id: "apiKeys.calls.list",
  method: "GET",
  path: "/api-keys/calls",
  surfaces: ["console"],
  summary: "List how often keys called within a day",
  description:
    "For members: counts each key's own requests in the current hour and the 23 before it. A key without any is left out.",
  scope: "api_keys:manage",
  mayLag: true,
  query: z.object({
    ids: z.string().max(5000).describe("Comma-separated ids of keys; unknown ids are ignored."),
  }),
  output: z.object({ calls: z.array(KeyCalls).describe("The counts, ordered by key.") }),

  async handler({ query, caller, db }) {
    const ids = query.ids.split(",", MAX_IDS).flatMap((id) => uuidOf("apiKey", id) ?? []);
    if (ids.length === 0) return { calls: [] };
    const account = toUuid("account", caller.accountId);
    // Each hour by itself: the indexes of the usage begin with account and hour.
    const rows = await db.execute<{ key_id: string; requests: string; errors: string; limited: string }>(sql`
      with asked as materialized (
        select ${apiKeys.id} as id from ${apiKeys}
        where ${apiKeys.accountId} = ${account}::uuid and ${apiKeys.id} = any(${sql.param(ids)}::uuid[]) and ${manageableKeys(caller)}
      ), hours as (
        select generate_series(hour_of(now()) - interval '23 hours', hour_of(now()), '1 hour') as hour
      ), counted as (
        select u.actor_id as key_id, u.requests, u.errors, u.limited
        from hours cross join lateral usage_of_hours(${account}, hours.hour, hours.hour + interval '1 hour') u
        where u.actor_type = 'key' and u.actor_id in (select id from asked)
        union all
        select p.actor_id, 1, is_error(p.status)::int, (p.status = 429)::int
        from audit_pending p
        where p.account_id = ${account}::uuid and p.actor_type = 'key' and p.actor_id in (select id from asked)
          and p.at >= hour_of(now()) - interval '23 hours' and is_used(p.operation, p.actor_id, p.charged_credits)
      )
      select key_id, sum(requests) as requests, sum(errors) as errors, sum(limited) as limited
      from counted group by key_id order by key_id`);
    return {
      calls: rows.map(({ key_id, requests, errors, limited }) => ({
        keyId: idOf("apiKey", key_id),
        requests: Number(requests),
        errors: Number(errors),
        limited: Number(limited),
      })),
    };
  },
});
