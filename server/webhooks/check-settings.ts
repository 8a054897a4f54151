import { EVENT_TYPES } from "#server/events/catalogue.ts";
import { filterFaults } from "#server/events/condition-faults.ts";
import type { Issue } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { platform } from "#server/platform.ts";
import { isLocalhost, isReachable, literalOf } from "#server/providers/http/addresses.ts";
import type { Condition } from "./settings/schema.ts";

interface Settings {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  filter?: readonly Condition[] | null | undefined;
}

/**
 * Refuses forbidden addresses, unknown events, and conditions that none of the subscribed events can meet; reports
 * every fault at once. `before` holds the settings that an update leaves unchanged.
 */
export function checkSettings({ url, events, filter }: Settings, before: Settings = {}): void {
  const fault = url === undefined ? null : urlFault(url, platform().settings.sandbox);
  const issues: Issue[] = fault ? [{ path: "body.url", message: fault }] : [];
  events?.forEach((pattern, index) => {
    if (!isKnownEvent(pattern))
      issues.push({
        path: `body.events.${index}`,
        message: `Unknown event ${JSON.stringify(pattern)}. Name one of the catalogue, all below one like \`api_key.*\`, or \`*\`.`,
      });
  });
  const judged = filter === undefined ? before.filter : filter;
  const patterns = events ?? before.events ?? [];
  const isAskedFor = (type: string) => patterns.some((pattern) => covers(pattern, type));
  if (issues.length === 0 && judged && (filter || events))
    for (const { at, message } of filterFaults(judged, isAskedFor))
      issues.push(
        filter
          ? { path: `body.filter.${at}.path`, message }
          : { path: "body.events", message: `The webhook's filter does not fit them: ${message}` },
      );
  if (issues.length > 0) throw invalidRequest(issues);
}

/** True for `*`, an event's name, or a group such as `run.*`. */
export function isKnownEvent(pattern: string): boolean {
  return pattern === "*" || EVENT_TYPES.some((type) => covers(pattern, type));
}

/** True if a pattern covers an event. */
export const covers = (pattern: string, type: string) => patternsOf(type).includes(pattern);

/** Returns the patterns that cover an event: `*`, its groups, and its name. */
export function patternsOf(type: string): string[] {
  const parts = type.split(".");
  const groups = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join(".")}.*`);
  return ["*", ...groups, type];
}

/** Returns the fault of an address. The addresses that its name resolves to are checked at each delivery. */
function urlFault(text: string, sandbox: boolean): string | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "Not an https: address. Write it like https://example.com/hooks.";
  if (url.username || url.password)
    return "It has a user or password in it. Deliveries are signed; check the signature instead.";
  const literal = literalOf(url.hostname);
  const here =
    literal === null
      ? isLocalhost(url.hostname)
      : isReachable(literal, "loopback") && !isReachable(literal, "public");
  if (here && sandbox) return null;
  if (here || (literal !== null && !isReachable(literal, "public")))
    return `${url.hostname} is not a public address. Use one that the internet reaches.`;
  if (url.protocol === "http:") return "It is not encrypted. Use https:.";
  return null;
}
