import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { ledgerEntries, ledgerTransactions } from "#db/schema/ledger.ts";
import { webhookDeliveries, webhookEvents } from "#db/schema/webhooks.ts";
import type { AuditEffects, AuditEvent } from "./schema.ts";

/**
 * The maximum difference between a process's and the database's clock, and the maximum delay of an entry after its
 * call.
 */
const CLOCKS_MS = 5_000;
const MAX_EFFECTS = 20;

type Effects = z.input<typeof AuditEffects>;

/**
 * Reads the ledger entries of a call and the stored events about its resource while it ran. Both are found by the time
 * in their ids, so that neither table needs an index of requests.
 */
export async function effectsOf(
  db: Db | Transaction,
  accountId: string,
  event: AuditEvent,
): Promise<Effects> {
  const began = Date.parse(event.at);
  const from = floor(began - CLOCKS_MS);
  const to = floor(began + event.durationMs + CLOCKS_MS);
  const entries = db
    .select({
      id: ledgerTransactions.id,
      description: ledgerTransactions.description,
      amount: ledgerEntries.amount,
    })
    .from(ledgerTransactions)
    .innerJoin(
      ledgerEntries,
      and(
        eq(ledgerEntries.accountId, ledgerTransactions.accountId),
        eq(ledgerEntries.transactionId, ledgerTransactions.id),
        eq(ledgerEntries.book, "customer"),
      ),
    )
    .where(
      and(
        eq(ledgerTransactions.accountId, accountId),
        gte(ledgerTransactions.id, from),
        lt(ledgerTransactions.id, to),
        eq(ledgerTransactions.requestId, event.requestId),
      ),
    )
    .orderBy(ledgerTransactions.id)
    .limit(MAX_EFFECTS);
  const [booked, events] = await Promise.all([entries, eventsOf(db, accountId, event)]);
  return { entries: booked, events };
}

async function eventsOf(
  db: Db | Transaction,
  accountId: string,
  { at, durationMs, resource, outcome }: AuditEvent,
): Promise<Effects["events"]> {
  if (resource === null || outcome !== "allowed") return [];
  const began = Date.parse(at);
  const events = await db
    .select({ id: webhookEvents.id, type: webhookEvents.type })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.accountId, accountId),
        gte(webhookEvents.id, floor(began)),
        lt(webhookEvents.id, floor(began + durationMs + 1)),
        sql`position(${JSON.stringify(resource)} in ${webhookEvents.payload}) > 0`,
      ),
    )
    .orderBy(webhookEvents.id)
    .limit(MAX_EFFECTS);
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const deliveries = await db
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      webhookId: webhookDeliveries.webhookId,
      status: webhookDeliveries.status,
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.accountId, accountId),
        gte(webhookDeliveries.id, floor(began)),
        inArray(webhookDeliveries.eventId, ids),
      ),
    )
    .orderBy(webhookDeliveries.id)
    .limit(MAX_EFFECTS);
  return events.map((event) => ({
    ...event,
    deliveries: deliveries
      .filter(({ eventId }) => eventId === event.id)
      .map(({ eventId, ...delivery }) => delivery),
  }));
}

const floor = (ms: number) => sql`uuid_floor(${new Date(ms).toISOString()}::timestamptz)`;
