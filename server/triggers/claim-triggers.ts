import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { Schedule } from "#db/schema/triggers.ts";
import { idOf } from "#server/base/ids.ts";
import type { InitiatorState } from "#server/members/initiator.ts";
import type { TriggerRow } from "./queries.ts";

type Own =
  | "accountId"
  | "id"
  | "projectId"
  | "serviceId"
  | "operationId"
  | "start"
  | "schedule"
  | "anchorAt"
  | "nextAt";

/** A trigger that a worker has claimed. */
export interface ClaimedTrigger
  extends Pick<TriggerRow, Own | "catchUpSeconds" | "pauseAfterFailures" | "updatedAt"> {
  /** Incremented by each claim. */
  fence: number;
  /** The public id of the key or member who stored it. */
  callerId: string;
  /** The current state of that owner; null if they are gone. */
  owner: InitiatorState | null;
  /** The time by the database's clock. */
  now: Date;
}

interface Row extends Record<string, unknown> {
  account_id: string;
  id: string;
  project_id: string | null;
  service_id: string;
  operation_id: string;
  start: string;
  schedule: Schedule | null;
  anchor_ms: number;
  next_ms: number | null;
  updated_ms: number;
  now_ms: number;
  catch_up_seconds: number;
  pause_after_failures: number | null;
  fence: number;
  caller_type: "key" | "member";
  caller_id: string;
  owner: InitiatorState | null;
}

/** Claims ready triggers, in turn by account, beginning after the account (UUID) that was served last. */
export async function claimTriggers(
  db: Db,
  { worker, slots, after }: { worker: string; slots: number; after: string },
): Promise<ClaimedTrigger[]> {
  const rows = await db.execute<Row>(sql`
    select t.account_id, t.id, t.project_id, t.service_id, t.operation_id, t.start, t.schedule, t.catch_up_seconds,
      t.pause_after_failures, t.fence, t.caller_type, t.caller_id, ${milliseconds("t.anchor_at")} as anchor_ms,
      ${milliseconds("t.next_at")} as next_ms, ${milliseconds("t.updated_at")} as updated_ms,
      ${milliseconds("trigger_clock()")} as now_ms,
      initiator(t.account_id, t.caller_type, t.caller_id, t.project_id, t.end_user_id) as owner
    from claim_triggers(${worker}, ${slots}, ${after}) t`);
  return rows.map(toClaimed);
}

const milliseconds = (moment: string) => sql.raw(`(extract(epoch from ${moment}) * 1000)::float8`);
const momentOf = (ms: number) => new Date(Math.round(ms));

function toClaimed(row: Row): ClaimedTrigger {
  return {
    accountId: idOf("account", row.account_id),
    id: idOf("trigger", row.id),
    projectId: row.project_id && idOf("project", row.project_id),
    serviceId: row.service_id,
    operationId: row.operation_id,
    start: row.start,
    schedule: row.schedule,
    anchorAt: momentOf(row.anchor_ms),
    nextAt: row.next_ms === null ? null : momentOf(row.next_ms),
    updatedAt: momentOf(row.updated_ms),
    now: momentOf(row.now_ms),
    catchUpSeconds: row.catch_up_seconds,
    pauseAfterFailures: row.pause_after_failures,
    fence: row.fence,
    callerId: idOf(row.caller_type === "key" ? "apiKey" : "member", row.caller_id),
    owner: row.owner,
  };
}
