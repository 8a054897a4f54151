import { lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { capDays, capReservations } from "#db/schema/caps.ts";
import { fundReservations } from "#db/schema/funds.ts";
import { serviceCalls } from "#db/schema/services.ts";
import { defined } from "#server/base/defined.ts";

// How long rows are kept that nothing reads after a fixed time. Tables whose retention is a setting have files of their own.

/** Twice the longest run, so that late results still get the answer that they are late. */
const CALLBACK_DAYS = 60;
const TICK_DAYS = 30;
/** A day longer than events can be awaited, for runs whose worker is late. */
const SENT_EVENT_DAYS = 31;
const DELIVERY_MONTHS = 3;
const BATCH = 10_000;
const QUOTE_BATCH = 1000;

/** Deletes the callbacks of steps that have ended long ago. */
export async function dropOldCallbacks(db: Db): Promise<void> {
  await db.execute(sql`delete from callbacks where at < now() - ${CALLBACK_DAYS} * interval '1 day'`);
}

/** Deletes ticks that ended over a month ago; the runs themselves keep any from starting twice. */
export async function dropOldTicks(db: Db): Promise<void> {
  await db.execute(sql`
    delete from trigger_ticks where (state <> 'waiting' or kind = 'event') and at < trigger_clock() - ${TICK_DAYS} * interval '1 day'`);
}

/** Deletes the events that can no longer be awaited. */
export async function dropSentEvents(db: Db): Promise<void> {
  for (let dropped = BATCH; dropped === BATCH; ) {
    const [row] = await db.execute<{ dropped: number }>(
      sql`select drop_events(now() - ${SENT_EVENT_DAYS} * interval '1 day', ${BATCH}) as dropped`,
    );
    dropped = defined(row).dropped;
  }
}

/** Drops the monthly partitions of events and deliveries that are entirely older than three months. */
export async function dropOldDeliveries(db: Db, months = DELIVERY_MONTHS): Promise<void> {
  await db.execute(sql`select abandon_old_deliveries(${months})`);
  await db.execute(sql`select drop_old_partitions('webhook_history', ${months})`);
  await db.execute(sql`select drop_old_partitions('webhook_events', ${months})`);
}

/** Deletes calls in doubt that nobody can continue: their idempotency record and their hold end after 24 hours. */
export async function sweepServiceCalls(db: Db): Promise<void> {
  await db.delete(serviceCalls).where(lt(serviceCalls.beganAt, sql`clock_timestamp() - interval '25 hours'`));
}

/**
 * Deletes old data of sign-ins: forgotten failures after a day; ended sessions, invitations and links after a month.
 */
export async function sweepSignIns(db: Db): Promise<void> {
  await db.execute(sql`delete from sign_in_attempts
    where greatest(forgotten_until, blocked_until) < now() - interval '1 day'`);
  await db.execute(sql`delete from sessions
    where least(expires_at, coalesce(revoked_at, expires_at)) < now() - interval '30 days'`);
  await db.execute(sql`delete from invitations
    where least(expires_at, accepted_at, revoked_at) < now() - interval '30 days'`);
  await db.execute(sql`delete from password_resets
    where least(expires_at, ended_at) < now() - interval '30 days'`);
}

/** Deletes quotes: unused ones after a day, the others once no repeat of their execution is replayed. */
export async function sweepQuotes(db: Db): Promise<number> {
  for (let swept = 0; ; ) {
    const rows = await db.execute(sql`
      delete from quotes q
      using (
        select account_id, id from quotes
        where expires_at < now() - interval '31 days' or (used_by is null and expires_at < now() - interval '1 day')
        limit ${QUOTE_BATCH} for update skip locked) old
      where q.account_id = old.account_id and q.id = old.id
      returning 1`);
    swept += rows.length;
    if (rows.length < QUOTE_BATCH) return swept;
  }
}

/** Deletes reservations of days and funds that no judgement or replay can need any more. */
export async function sweepCaps(db: Db): Promise<void> {
  const past = sql`utc_today() - 35`;
  await db.delete(capReservations).where(lt(capReservations.day, past));
  await db.delete(capDays).where(lt(capDays.day, past));
  await db
    .delete(fundReservations)
    .where(or(lt(fundReservations.releasedAt, past), lt(fundReservations.expiresAt, past)));
}
