import { defined } from "#server/base/defined.ts";
import { EVENT_ENTRIES, type EventType } from "#server/events/catalogue.ts";
import type { EventDeclaration } from "#server/events/event.ts";
import { eventName } from "#server/transports/openapi/names.ts";
import { type Components, fieldRows } from "./fields.ts";
import { type Block, heading, json, type Page, paragraph, table } from "./page.ts";

/** The parts of the OpenAPI document's webhook that the page shows. */
interface DescribedWebhook {
  post: {
    requestBody: {
      content: { "application/json": { examples: Record<string, { value: { data: unknown } }> } };
    };
  };
}

/** Returns the page of every event with its data, from the schemas that validate sent bodies. */
export function eventsPage(webhook: unknown, components: Components): Page {
  const resources = Map.groupBy(EVENT_ENTRIES, ([type]) => type.slice(0, type.lastIndexOf(".")));
  return {
    path: "/docs/events",
    title: "Events",
    lead: "The events that [webhooks](/docs/webhooks) receive, by resource. A webhook gets the events that its owner key could read.",
    blocks: [
      heading("Every delivery"),
      paragraph(
        "The body is `{ id, type, timestamp, apiVersion, sequence, projectId, data }`, the same bytes in every attempt and replay, at most 20 KB: beyond that `data` is the resource's id and status with `truncated: true`. A webhook with `payload: \"thin\"` gets `resource`, the resource's id, and `status` in place of `data`.",
      ),
      ...[...resources].flatMap(([resource, group]) =>
        resourceBlocks(resource, group, webhook as DescribedWebhook, components),
      ),
    ],
  };
}

function resourceBlocks(
  resource: string,
  group: [EventType, EventDeclaration][],
  webhook: DescribedWebhook,
  components: Components,
): Block[] {
  const [first] = defined(group[0]);
  const { examples } = webhook.post.requestBody.content["application/json"];
  const event = defined(components[eventName(resource)] ?? components[eventName(first)]);
  const data = defined(event.allOf?.[1]?.properties?.data);
  return [
    heading(resource),
    table(
      ["Event", "When", "Needs"],
      group.map(([type, { description, scope }]) => [`\`${type}\``, description, `\`${scope}\``]),
    ),
    paragraph("Its `data`:"),
    json(examples[first]?.value.data),
    table(
      ["Field", "Type", "Meaning"],
      fieldRows(data, components, "", 3).map(([name, type, , meaning]) => [`\`${name}\``, type, meaning]),
    ),
  ];
}
