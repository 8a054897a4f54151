import { sql } from "drizzle-orm";
import { idOf } from "#server/base/ids.ts";
import type { Area } from "../area.ts";
import type { Call } from "../client.ts";
import type { EventEndpoint } from "./event-endpoint.ts";

/** Delivered events are sent once more for each resend request. */
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

      async check() {
        const made = await db.execute<{ id: string }>(
          sql`select id from webhook_history where replay_of is not null`,
        );
        const ids = new Set([...made].map(({ id }) => idOf("delivery", id)));
        const answered = replays.filter(({ outcome }) => outcome === "answered");
        const missing = answered.filter(({ answer }) => !ids.has(answer.delivery.id));
        return [
          ...missing.map(({ answer }) => `The replay ${answer.delivery.id} was answered, and not made.`),
          ...(ids.size === answered.length
            ? []
            : [`${answered.length} replays were asked for, ${ids.size} made.`]),
        ];
      },
    };
  },
});
