import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { toUuid } from "#server/base/ids.ts";
import { cancelLiveRun } from "#server/runs/queries.ts";
import type { ClaimedTrigger } from "./claim-triggers.ts";
import type { DueTick } from "./occasion.ts";
import { emitTriggerEvent, pauseTrigger } from "./queries.ts";
import { endOfOwner, startRun } from "./start-run.ts";
import { timeAfter, timesBetween } from "./times.ts";

/** The maximum number of ticks that one turn stores; the next turn continues. */
const BATCH = 1000;
/** The maximum number of runs that one turn starts, so that other triggers have their turn. */
const MAX_STARTS = 10;

/** The boundaries between transactions at which tests can end the process. */
export type Boundary = "ticks" | "chosen" | "started" | "released";

/**
 * Processes a claimed trigger: stores the ticks that are due, starts runs for some of them, and releases the trigger.
 * Each step is a transaction: after a crash, the next worker continues there.
 */
export async function processTrigger(
  db: Db,
  trigger: ClaimedTrigger,
  reached: (boundary: Boundary) => void = () => undefined,
): Promise<void> {
  if (endOfOwner(trigger)) return db.transaction((tx) => pauseTrigger(tx, trigger, "owner_ended"));
  await addTicks(db, trigger);
  reached("ticks");
  for (let started = true, n = 0; started && n < MAX_STARTS; n++) {
    const next = await nextTick(db, trigger);
    reached("chosen");
    for (const runId of next?.cancels ?? [])
      await cancelLiveRun(db, { accountId: toUuid("account", trigger.accountId), runId });
    started = next?.tick ? await startRun(db, trigger, next.tick) : false;
    reached("started");
  }
  await db.execute(sql`select release_trigger(${claimOf(trigger)})`);
  reached("released");
}

const claimOf = ({ accountId, id, fence }: ClaimedTrigger) =>
  sql`${toUuid("account", accountId)}, ${toUuid("trigger", id)}, ${fence}::int`;

/** Stores the ticks that are due. If some are older than `catchUpSeconds`, one row represents those as missed. */
async function addTicks(db: Db, trigger: ClaimedTrigger): Promise<void> {
  const { nextAt, now, catchUpSeconds } = trigger;
  if (!nextAt || nextAt > now) return;
  const earliest = new Date(now.getTime() - catchUpSeconds * 1000);
  const isLate = nextAt < earliest;
  const first = isLate ? timeAfter(trigger, new Date(earliest.getTime() - 1)) : nextAt;
  const ticks = first && first <= now ? [first, ...timesBetween(trigger, first, now, BATCH - 1)] : [];
  const last = ticks.at(-1);
  const next = last ? timeAfter(trigger, last) : first;
  const missed = isLate
    ? JSON.stringify({
        code: "catch_up_exceeded",
        message: `Nothing was started from ${nextAt.toISOString()} until ${earliest.toISOString()}: that is longer ago than ${catchUpSeconds} seconds.`,
      })
    : null;
  await db.transaction(async (tx) => {
    const at = sql.param(ticks.map((tick) => tick.toISOString()));
    await tx.execute(sql`
      select add_ticks(${claimOf(trigger)}, ${nextAt.toISOString()}, ${next?.toISOString() ?? null}, ${at}::text[]::timestamptz[],
        ${missed}::jsonb)`);
    if (isLate) await emitTriggerEvent(tx, trigger, "trigger.failed");
  });
}

/** Returns the tick to start a run for now, if one is due, and the runs to cancel before. */
async function nextTick(
  db: Db,
  trigger: ClaimedTrigger,
): Promise<{ tick: DueTick | null; cancels: string[] } | null> {
  const [row] = await db.execute<{ ms: number | null; kind: DueTick["kind"]; cancels: string[] | null }>(sql`
    select (extract(epoch from n.at) * 1000)::float8 as ms, n.kind, n.cancels from next_tick(${claimOf(trigger)}) n`);
  if (!row) return null;
  const tick = row.ms === null ? null : { at: new Date(Math.round(row.ms)), kind: row.kind };
  return { tick, cancels: row.cancels ?? [] };
}
