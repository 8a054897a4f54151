import { type ConditionRow, filterOf, rowsOf } from "#app/(console)/webhooks/conditions.ts";
import type { Webhook } from "#server/webhooks/schema.ts";

/** The values of a webhook's form. */
export interface WebhookValues {
  url: string;
  events: string[];
  filter: ConditionRow[];
  payload: string;
  /** Headers to add or replace. */
  headers: Record<string, string>;
  /** Names of stored headers to remove. */
  removed: string[];
  description: string;
}

/** Returns the editable values of a webhook. */
export function valuesOf({
  url,
  events,
  filter,
  payload,
  description,
}: Pick<Webhook, "url" | "events" | "filter" | "payload" | "description">): WebhookValues {
  return {
    url,
    events,
    filter: rowsOf(filter),
    payload,
    headers: {},
    removed: [],
    description: description ?? "",
  };
}

/** Returns the body that creates a webhook. */
export function createInput({ url, events, filter, payload, headers, description }: WebhookValues) {
  return {
    url,
    events,
    payload,
    ...(filter.length > 0 && { filter: filterOf(filter) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(description !== "" && { description }),
  };
}

/** Returns the body that updates a webhook. */
export function updateInput({ url, events, filter, payload, headers, removed, description }: WebhookValues) {
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const changes = {
    ...Object.fromEntries(removed.filter((name) => !replaced.has(name)).map((name) => [name, null])),
    ...headers,
  };
  return {
    url,
    events,
    payload,
    filter: filterOf(filter),
    ...(Object.keys(changes).length > 0 && { headers: changes }),
    description: description === "" ? null : description,
  };
}
