import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { webhookEvents } from "#db/schema/webhooks.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { invalid } from "#server/operation/errors.ts";
import { sentId, typeId } from "#server/operation/fields.ts";
import { follow } from "#server/operation/follow.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { type StreamEvent, StreamResult } from "#server/operation/stream-result.ts";
import { platform } from "#server/platform.ts";
import { isKnownEvent } from "./check-settings.ts";
import { eventsNotKept, type Followed, newEvents } from "./new-events.ts";
import { projectFor } from "./project-for.ts";

/** How often an open stream renews its account's interest in events. */
const LISTEN_MS = 5 * 60_000;
const MAX_TYPES = 100;

export const followEvents = operation({
  id: "events.follow",
  method: "GET",
  path: "/events",
  summary: "Follow the account's events",
  description:
    "Streams [events](/docs/events) as they happen, without a webhook: those that the calling key may read, checked when each event is sent. The stream begins with new events; with `Last-Event-ID` it continues after that event. Events are kept until an hour after the last client has disconnected: an older id gets 410 `cursor_expired`.",
  scope: "webhooks:read",
  query: z.object({
    types: z
      .string()
      .max(5000)
      .default("*")
      .meta({
        description: "Comma-separated event names or groups such as `run.*`.",
        examples: ["run.*,approval.requested"],
      }),
    projectId: sentId("project").optional().describe("Only this project's events."),
  }),
  output: z.object({}),
  stream: {
    description: "The account's events, until the client disconnects.",
    id: {
      description: "The event's id, the same as in webhook deliveries.",
      example: "whe_01jz4w1n9vf5ha3kqcx8y2r7te",
    },
    events: {
      "run.succeeded": {
        description:
          "Each event's name is its type; its data is the body of a webhook delivery, byte for byte.",
        data: z.object({
          id: typeId("webhookEvent").describe("The event's id."),
          type: z.string().meta({ description: "The event's name.", examples: ["run.succeeded"] }),
        }),
      },
    },
  },
  errors: ["not_found", "state_conflict", "project_not_allowed", "cursor_expired"],
  surfaces: ["api"],
  examples: { query: { types: "run.*,approval.requested" } },

  async handler({ query, caller, db, request }) {
    const types = typesIn(query.types);
    const projectId = await projectFor(db, caller, query.projectId);
    const { accountId, id: keyId, endUser } = caller;
    const position = await positionAfter(db, caller, request.lastEventId);
    const followed = { accountId, keyId, types, projectId, endUserId: endUser?.id ?? null, position };
    return new StreamResult(accountId, (signal) => eventsOf(followed, signal));
  },
});

function typesIn(text: string): string[] {
  const types = [...new Set(text.split(",").map((type) => type.trim()))];
  if (types.length > MAX_TYPES)
    throw invalid("query.types", `Names ${types.length}. Name at most ${MAX_TYPES}.`);
  const unknown = types.filter((type) => !isKnownEvent(type));
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.map((type) => ({
        path: "query.types",
        message: `Unknown event ${JSON.stringify(type.slice(0, 100))}. Name one of the catalogue, all below one like \`api_key.*\`, or \`*\`.`,
      })),
    );
  return types;
}

/** Makes the account's events be stored, and returns the position after which the client continues. */
async function positionAfter(db: Db, { accountId }: Caller, lastEventId: string | null): Promise<number> {
  if (lastEventId !== null && !uuidOf("webhookEvent", lastEventId))
    throw invalid(
      "header.last-event-id",
      "Is not an event's id. Send the id of the last event (`whe_…`), or leave the header out.",
    );
  const { newest, since } = await listen(db, accountId);
  if (lastEventId === null) return newest;
  const [event] = await db
    .select({ position: webhookEvents.position })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.accountId, accountId), eq(webhookEvents.id, lastEventId)));
  if (typeof event?.position !== "number" || event.position < since) throw eventsNotKept();
  return event.position;
}

async function listen(db: Db, accountId: string): Promise<{ newest: number; since: number }> {
  const [row] = await db.execute<{ newest: string; since: string }>(
    sql`select newest, since from listen_to_events(${uuidOf("account", accountId)})`,
  );
  return { newest: Number(row?.newest), since: Number(row?.since) };
}

async function* eventsOf(
  followed: Followed,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEvent[], void> {
  const { accountId } = followed;
  let { position } = followed;
  let listened = performance.now();
  const pages = follow({
    accountId,
    change: "events",
    signal,
    async read() {
      if (performance.now() - listened > LISTEN_MS) {
        await listen(platform().database.db, accountId);
        listened = performance.now();
      }
      return newEvents({ ...followed, position });
    },
  });
  for await (const events of pages) {
    position = events.at(-1)?.position ?? position;
    const sent = events.flatMap(({ id, type, payload }) =>
      payload === null ? [] : [{ id, event: type, data: payload }],
    );
    if (sent.length > 0) yield sent;
  }
}
