import { sql } from "drizzle-orm";
import { idOf } from "#server/ids.ts";
import type { Area } from "../area.ts";
import type { Call } from "../client.ts";
import type { EventEndpoint } from "./event-endpoint.ts";

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

/** Every event reaches the endpoints of those that asked for it, and some are sent once more. */
export const events = (endpoint: EventEndpoint): Area => ({
  name: "events",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount();
    await endpoint.subscribe(client, accountId, key);
    const replays: Call[] = [];
    const deliveries: string[] = [];

    return {
      async call(random) {
        const what = random.fraction();
        const name = marker("event");
        if (what < 0.4)
          return client.write(random, name, { method: "POST", path: "/v1/projects", key, body: { name } });
        if (what < 0.7 || deliveries.length === 0) {
          const path = "/v1/webhook-deliveries?status=succeeded&limit=10";
          const answer = await client.send({ method: "GET", path, key }, random);
          if (answer?.status === 200)
            deliveries.push(...answer.body.deliveries.map(({ id }: { id: string }) => id));
          return;
        }
        const path = `/v1/webhook-deliveries/${random.pick(deliveries)}/replay`;
        replays.push(await client.write(random, name, { method: "POST", path, key, body: {} }));
      },

      async pending() {
        const [waiting] = await db.execute<Waiting>(sql`
          select (select count(*)::int from outbox) as events, (select count(*)::int from webhook_queue) as deliveries`);
        if (!waiting || waiting.events + waiting.deliveries === 0) return null;
        return `${waiting.events} events are not relayed, and ${waiting.deliveries} deliveries not made.`;
      },

      async check() {
        const kept = await db.execute<Event>(
          sql`select account_id as account, id, type, payload from webhook_events`,
        );
        const lost = [...kept].flatMap(({ account, id, type, payload }) => {
          const subscriber = endpoint.accounts.get(idOf("account", account));
          const eventId = idOf("webhookEvent", id);
          if (!subscriber || subscriber.events.get(eventId)?.payload === payload) return [];
          return [`The event ${type} ${eventId} was not delivered.`];
        });
        const failed = await db.execute<{ id: string; event: string; status: string }>(
          sql`select id, event, status from webhook_history where status <> 'succeeded'`,
        );
        const made = await db.execute<{ id: string }>(
          sql`select id from webhook_history where replay_of is not null`,
        );
        const ids = new Set([...made].map(({ id }) => idOf("delivery", id)));
        const answered = replays.filter(({ outcome }) => outcome === "answered");
        const missing = answered.filter(({ answer }) => !ids.has(answer.delivery.id));
        return [
          ...lost,
          ...[...failed].map(({ id, event, status }) => `The delivery ${id} of ${event} is ${status}.`),
          ...missing.map(({ answer }) => `The replay ${answer.delivery.id} was answered, and not made.`),
          ...(ids.size === answered.length
            ? []
            : [`${answered.length} replays were asked for, ${ids.size} made.`]),
        ];
      },
    };
  },
});
