import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { eventWaits, sentEvents } from "#db/schema/sent-events.ts";
import { idOf } from "#server/base/ids.ts";
import type { PrivacyTier } from "#server/operation/caller.ts";
import { fromStored } from "#server/operation/payload.ts";
import type { AwaitedEvent, RunWait } from "./schema.ts";

/** A step of a run, by its name in the journal. */
export interface WaitingStep {
  accountId: string;
  runId: string;
  step: string;
}

/** Returns a stored event. */
export async function readEvent(db: Db, accountId: string, id: string): Promise<AwaitedEvent | null> {
  const [row] = await db
    .select()
    .from(sentEvents)
    .where(and(eq(sentEvents.accountId, accountId), eq(sentEvents.id, id)));
  return row ? toEvent(row) : null;
}

type EventRow = typeof sentEvents.$inferSelect;

function toEvent({ id, name, key, data, headers, privacyTier, sentAt }: EventRow): AwaitedEvent {
  return {
    id,
    name,
    key,
    ...(headers && {
      headers: fromStored<Record<string, string>>({ id, privacyTier }, "headers", headers),
    }),
    data: fromStored({ id, privacyTier }, "data", data),
    sentAt: sentAt.toISOString(),
  };
}

function waitsOf({ accountId, runId, step }: WaitingStep): SQL {
  return allOf(eq(eventWaits.accountId, accountId), eq(eventWaits.runId, runId), eq(eventWaits.step, step));
}

/**
 * Returns the state of a step's wait: whether earlier events still have to be searched, and the event that ended it.
 */
export async function readWait(
  db: Db,
  which: WaitingStep,
): Promise<{ unseen: boolean; event: AwaitedEvent | null }> {
  const rows = await db
    .select({ since: eventWaits.since, eventId: eventWaits.eventId, event: sentEvents })
    .from(eventWaits)
    .leftJoin(
      sentEvents,
      and(eq(sentEvents.accountId, eventWaits.accountId), eq(sentEvents.id, eventWaits.eventId)),
    )
    .where(waitsOf(which));
  const ended = rows.find(({ eventId }) => eventId !== null);
  if (ended && !ended.event) throw new Error(`The event ${ended.eventId} is not kept any more.`);
  return {
    unseen: rows.some(({ since, eventId }) => since !== null && eventId === null),
    event: ended?.event ? toEvent(ended.event) : null,
  };
}

const PAGE = 20;

interface Past extends Record<string, unknown> {
  id: string;
  name: string;
  key: string | null;
  data: Uint8Array;
  privacy_tier: PrivacyTier;
  sent_at: string;
  nth: number;
  conditions: unknown;
}

/**
 * Yields the events that were sent before a step began to wait and that its waits accept, with the number of the wait;
 * reads no further ones once `isLate` returns true.
 */
export async function* pastEvents(
  db: Db,
  ids: { account: string; run: string; step: string },
  isLate: () => boolean,
): AsyncGenerator<{ eventId: string; nth: number }> {
  const { account, run, step } = ids;
  for (let last: Past | undefined; ; ) {
    const page: Past[] = await db.execute<Past>(sql`
      select id, name, key, data, privacy_tier, sent_at::text as sent_at, nth, conditions
      from past_events(${account}, ${run}, ${step}, ${last?.sent_at ?? null}::timestamptz, ${last?.id ?? null}::uuid, ${PAGE})`);
    const judged = page.map(({ id, name, key, data, privacy_tier: privacyTier, conditions }) => ({
      event: { name, key, data: fromStored({ id: idOf("sentEvent", id), privacyTier }, "data", data) },
      conditions,
    }));
    const fitting = await db.execute<{ n: number }>(sql`
      select (j.n - 1)::int as n from jsonb_array_elements(${JSON.stringify(judged)}::jsonb) with ordinality j(one, n)
      where event_fits(j.one -> 'event', nullif(j.one -> 'conditions', 'null')) order by j.n`);
    for (const { n } of fitting) {
      const found = page[n];
      if (found) yield { eventId: found.id, nth: found.nth };
    }
    last = page.at(-1);
    if (page.length < PAGE || isLate()) return;
  }
}

/** Records that a step has searched the earlier events; later ones are matched when they are sent. */
export async function endLookback(db: Db, which: WaitingStep): Promise<void> {
  await db.update(eventWaits).set({ since: null }).where(waitsOf(which));
}

/** Returns the events that a run waits for, in their public form. */
export async function waitsForEvents(
  db: Db,
  accountId: string,
  runId: string,
): Promise<z.input<typeof RunWait>[]> {
  const rows = await db
    .select()
    .from(eventWaits)
    .where(and(eq(eventWaits.accountId, accountId), eq(eventWaits.runId, runId), isNull(eventWaits.eventId)))
    .orderBy(asc(eventWaits.at), asc(eventWaits.step), asc(eventWaits.nth));
  return [...Map.groupBy(rows, ({ step }) => step)].flatMap(([step, waits]) => {
    const [first] = waits;
    if (!first) return [];
    return {
      step: step.replaceAll(/:\w+/g, ""),
      since: first.at.toISOString(),
      until: first.until.toISOString(),
      events: waits.map(({ name, key }) => ({ name, key })),
      callback: null,
    };
  });
}
