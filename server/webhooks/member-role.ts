import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { EVENT_ENTRIES } from "#server/events/catalogue.ts";
import type { Caller, Role } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isAdmin, ROLE_SCOPES } from "#server/operation/roles.ts";
import { covers } from "./check-settings.ts";
import type { WebhookRow } from "./queries.ts";
import type { UpdateWebhook } from "./schema.ts";

/** True if a role has the scope of an event. */
export function roleReads(role: Role, { scope }: { scope: string }): boolean {
  return ROLE_SCOPES[role].some((each) => each === scope);
}

/** Refuses a member's subscriptions to events that would never be sent, since their role lacks the scope. */
export function refuseBeyondRole(caller: Caller, patterns: readonly string[]): void {
  if (caller.type !== "member") return;
  for (const pattern of patterns) {
    const events = EVENT_ENTRIES.filter(([type]) => covers(pattern, type)).map(([, event]) => event);
    const [first] = events;
    if (!first || events.some((event) => roleReads(caller.role, event))) continue;
    throw new ApiError(
      "scope_missing",
      `The events ${pattern} need the scope ${first.scope}, which the role ${caller.role} lacks. Leave them out, or have a member with a role that has it subscribe to them.`,
      { check: "scope" },
    );
  }
}

type Choice = Pick<z.output<typeof UpdateWebhook>, "url" | "events" | "filter" | "payload">;

/**
 * Returns the role that restricts the webhook's events after an update. A member whom a role restricts brings theirs if
 * they adopt the webhook or choose another address or other events; the console's form also sends what stays as it is.
 * An administrator or a key lifts the restriction by adopting it, or by sending the address.
 */
export function memberRoleAfter(
  caller: Caller,
  before: WebhookRow,
  { choice, adopted }: { choice: Choice; adopted: boolean },
): Role | null {
  const role = caller.type === "member" ? caller.role : null;
  if (role === null || isAdmin(role)) return adopted || choice.url !== undefined ? role : before.memberRole;
  const { url = before.url, events = before.events, payload = before.payload } = choice;
  const filter = choice.filter === undefined ? before.filter : choice.filter;
  const isOther =
    url !== before.url ||
    payload !== before.payload ||
    events.some((pattern) => !before.events.includes(pattern)) ||
    !isDeepStrictEqual(filter, before.filter);
  return adopted || isOther ? role : before.memberRole;
}
