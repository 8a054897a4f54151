import { EVENTS, type EventType } from "#server/events/catalogue.ts";
import type { EventFacts } from "#server/events/event.ts";
import type { Json } from "#server/transports/openapi/schemas.ts";
import { type Components, fieldRows } from "./fields.ts";
import { type Block, heading, json, type Page, paragraph, table } from "./page.ts";

/** A webhook of the OpenAPI document, as far as its page shows it. */
interface DescribedEvent {
  post: { requestBody: { content: { "application/json": { schema: Json; example: unknown } } } };
}

/** Every event with its data, from the schemas that validate what is sent. */
export function eventsPage(webhooks: Record<string, unknown>, components: Components): Page {
  const events = Object.entries(EVENTS) as [EventType, EventFacts][];
  const things = Map.groupBy(events, ([type]) => type.slice(0, type.lastIndexOf(".")));
  return {
    path: "/docs/events",
    title: "Events",
    lead: "What [webhooks](/docs/webhooks) are sent, by resource. A webhook gets the events that its owner key could read.",
    blocks: [
      heading("Every delivery"),
      paragraph(
        "The body is `{ id, type, timestamp, apiVersion, sequence, projectId, data }`, the same bytes in every attempt and replay, at most 20 KB: beyond that `data` is the thing's id and status with `truncated: true`.",
      ),
      ...[...things].flatMap(([thing, group]) =>
        thingBlocks(thing, group, webhooks as Record<string, DescribedEvent>, components),
      ),
    ],
  };
}

function thingBlocks(
  thing: string,
  group: [EventType, EventFacts][],
  webhooks: Record<string, DescribedEvent>,
  components: Components,
): Block[] {
  const [first] = group[0] as [EventType, EventFacts];
  const { schema, example } = (webhooks[first] as DescribedEvent).post.requestBody.content[
    "application/json"
  ];
  const data = (schema.properties as Components).data as Json;
  return [
    heading(thing),
    table(
      ["Event", "When", "Needs"],
      group.map(([type, { description, scope }]) => [`\`${type}\``, description, `\`${scope}\``]),
    ),
    paragraph("Its `data`:"),
    json((example as { data: unknown }).data),
    table(
      ["Field", "Type", "Meaning"],
      fieldRows(data, components, "", 3).map(([name, type, , meaning]) => [`\`${name}\``, type, meaning]),
    ),
  ];
}
