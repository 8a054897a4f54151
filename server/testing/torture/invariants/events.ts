import { sql } from "drizzle-orm";
import { idOf } from "#server/base/ids.ts";
import type { EventEndpoint } from "../areas/event-endpoint.ts";
import type { Installation } from "../installation.ts";

interface Waiting extends Record<string, unknown> {
  events: number;
  deliveries: number;
}

interface Event extends Record<string, unknown> {
  account: string;
  id: string;
  type: string;
  payload: string;
}

/** Returns the deliveries that are still pending. */
export const deliveries = ({ database }: Installation) => ({
  async pending(): Promise<string | null> {
    const [waiting] = await database.db.execute<Waiting>(sql`
      select (select count(*)::int from outbox) as events, (select count(*)::int from webhook_queue) as deliveries`);
    if (!waiting || waiting.events + waiting.deliveries === 0) return null;
    return `${waiting.events} events are not relayed, and ${waiting.deliveries} deliveries not made.`;
  },
});

/**
 * Checks that every event has reached its account's endpoint, at least as often as the platform has recorded
 * deliveries.
 */
export async function checkDelivered({ database }: Installation, endpoint: EventEndpoint): Promise<string[]> {
  const { db } = database;
  const kept = await db.execute<Event>(
    sql`select account_id as account, id, type, payload from webhook_events`,
  );
  const known = new Set([...kept].map(({ id }) => idOf("webhookEvent", id)));
  const lost = [...kept].flatMap(({ account, id, type, payload }) => {
    const subscriber = endpoint.accounts.get(idOf("account", account));
    const eventId = idOf("webhookEvent", id);
    if (!subscriber || subscriber.events.get(eventId)?.payload === payload) return [];
    return [`The event ${type} ${eventId} was not delivered.`];
  });
  const invented = [...endpoint.accounts.values()]
    .flatMap(({ events }) => [...events.values()])
    .filter(({ id }) => !known.has(id));
  const failed = await db.execute<{ id: string; event: string; status: string }>(
    sql`select id, event, status from webhook_history where status <> 'succeeded'`,
  );
  return [
    ...lost,
    ...invented.map(({ id, type }) => `The event ${type} ${id} was delivered, and nobody knows it.`),
    ...[...failed].map(({ id, event, status }) => `The delivery ${id} of ${event} is ${status}.`),
  ];
}
