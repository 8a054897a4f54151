import { unknownEvent } from "#server/events/catalogue.ts";
import { whereFaults } from "#server/events/condition-faults.ts";
import type { Issue } from "#server/operation/errors.ts";
import { hasExpressions } from "#server/workflows/template.ts";
import type { PutTrigger } from "./schema.ts";
import type { SentSource } from "./source/schema.ts";
import { faultsOfSchedule, scheduleOf } from "./times.ts";

/** Returns the faults of a trigger's source and bounds that its schema can't tell. */
export function faultsOf({ on, start, ...bounds }: PutTrigger): Issue[] {
  return [
    ...faultsOfSchedule(on, "on"),
    ...faultsOfEvent(on),
    ...faultsOfConditions(on),
    ...faultsOfBounds(on, bounds),
    ...faultsOfDebounce(on, start, bounds),
  ];
}

/** The event of a trigger that failed to start a run. */
const OF_TRIGGERS = "trigger.failed";

/** Returns faults of an event beyond its form. */
function faultsOfEvent({ event }: SentSource): Issue[] {
  if (event === undefined) return [];
  if (event === OF_TRIGGERS)
    return [
      {
        path: "on.event",
        message: `${OF_TRIGGERS} can start no runs, since they could fail in turn. Subscribe a webhook to it instead.`,
      },
    ];
  const unknown = unknownEvent(event);
  return unknown ? [{ path: "on.event", message: unknown }] : [];
}

/** Returns faults of the conditions on an event or delivery. */
function faultsOfConditions({ event, where = [] }: SentSource): Issue[] {
  const open = where.flatMap(({ value }, nth) =>
    hasExpressions(value)
      ? [
          {
            path: `on.where.${nth}.value`,
            message: "Expressions are not evaluated here. Send the value itself.",
          },
        ]
      : [],
  );
  const faults = whereFaults(where, event, hasExpressions).map(({ at, field, message }) => ({
    path: `on.where.${at}.${field}`,
    message,
  }));
  return [...faults, ...open];
}

/** Returns faults of fields that only schedules have. */
function faultsOfBounds(
  on: SentSource,
  { catchUpSeconds, jitterSeconds }: Pick<PutTrigger, "catchUpSeconds" | "jitterSeconds">,
): Issue[] {
  if (scheduleOf(on)) return [];
  const ofSchedules = Object.entries({ catchUpSeconds, jitterSeconds }).filter(
    ([, value]) => value !== undefined,
  );
  return ofSchedules.map(([path]) => ({
    path,
    message: "Applies to schedules only; an event or a delivery waits for seven days. Leave it out.",
  }));
}

/** Returns faults of a debounce: only events and deliveries come in bursts, and each has to count. */
function faultsOfDebounce(
  on: SentSource,
  { debounce }: PutTrigger["start"],
  { overlap }: Pick<PutTrigger, "overlap">,
): Issue[] {
  if (debounce === undefined) return [];
  if (scheduleOf(on))
    return [{ path: "start.debounce", message: "Only events come in bursts. Leave it out." }];
  if (overlap === undefined || overlap === "allow") return [];
  return [
    {
      path: "overlap",
      message: "An event that is passed over debounces nothing. Send allow, or leave it out.",
    },
  ];
}
