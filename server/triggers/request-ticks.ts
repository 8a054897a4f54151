import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { instant } from "#server/operation/fields.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { refuseScope } from "./check-start.ts";
import { isByEvents, lockTrigger, readClock, readTrigger, type TriggerRow } from "./queries.ts";
import { BackfillTrigger, TRIGGER_LIMITS, Trigger, TriggerReference } from "./schema.ts";
import { ownerEnded } from "./switch-trigger.ts";
import { timesBetween } from "./times.ts";

export const fireTrigger = capability({
  id: "fire",
  title: "Start a trigger's run now",
  description:
    "Starts its run at once, as its owner, beside its schedule and whatever still runs; also where it is paused by hand. Needs `runs:write`. The run is found by `GET /runs?triggerId=`.",
  input: TriggerReference,
  output: z.object({
    trigger: Trigger,
    scheduledAt: instant.describe("The run's `scheduledAt`: now."),
  }),
  modes: ["invoke"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "fire"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    const trigger = await lockForStarts(tx, caller, name);
    const now = await readClock(tx);
    // Two simultaneous starts get ticks a millisecond apart.
    for (let at = now.getTime(); ; at++) {
      const [requested] = await requestTicks(tx, trigger, "fire", [new Date(at)]);
      if (requested)
        return { trigger: await readTrigger(tx, trigger, caller), scheduledAt: requested.toISOString() };
    }
  },
});

export const backfillTrigger = capability({
  id: "backfill",
  title: "Make up for times of a trigger",
  description:
    "Starts a run for each time of its schedule from a moment on and before another that has none yet; also where it is paused by hand. One follows the other's end, unless its `overlap` is `allow`. At most 1,000 at once. Needs `runs:write`.",
  input: BackfillTrigger,
  output: z.object({
    trigger: Trigger,
    asked: z.int().describe("How many runs will be started."),
    left: z.int().describe("How many of the times had a run, or wait for theirs."),
  }),
  modes: ["invoke"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "backfill"),

  check({ from, to }) {
    return from < to ? [] : [{ path: "to", message: `Is not after from, ${from}. Send a later moment.` }];
  },

  nameOf: ({ name }) => name,

  async handler({ input: { name, from, to }, caller, tx }) {
    const trigger = await lockForStarts(tx, caller, name);
    const now = await readClock(tx);
    if (new Date(to) > now)
      throw invalid(
        "body.input.to",
        `It is ${now.toISOString()}: that is in the future. Send this moment or an earlier one.`,
      );
    const most = TRIGGER_LIMITS.maximumBackfill;
    const times = timesBetween(trigger, before(new Date(from)), before(new Date(to)), most + 1);
    if (times.length > most)
      throw invalid("body.input.to", `More than ${most} times are within it. Make up for them in parts.`);
    const requested = await requestTicks(tx, trigger, "backfill", times);
    return {
      trigger: await readTrigger(tx, trigger, caller),
      asked: requested.length,
      left: times.length - requested.length,
    };
  },
});

const before = (moment: Date) => new Date(moment.getTime() - 1);

/** Locks the trigger for a caller who may start runs. */
async function lockForStarts(tx: Transaction, caller: Caller, name: string): Promise<TriggerRow> {
  refuseScope(caller);
  const trigger = await lockTrigger(tx, caller, name);
  if (trigger.pausedReason === "owner_ended") throw ownerEnded(name);
  if (isByEvents(trigger))
    throw new ApiError(
      "state_conflict",
      `The trigger ${JSON.stringify(name)} starts its runs at ${trigger.event === null ? "deliveries" : "events"}. Send one, or replay those that started none.`,
    );
  return trigger;
}

/** Requests runs for these times; returns those that had none yet. */
async function requestTicks(
  tx: Transaction,
  { accountId, id }: TriggerRow,
  kind: "fire" | "backfill",
  times: readonly Date[],
): Promise<Date[]> {
  const at = sql.param(times.map((time) => time.toISOString()));
  const rows = await tx.execute<{ ms: number }>(sql`
    select (extract(epoch from at) * 1000)::float8 as ms
    from request_ticks(${toUuid("account", accountId)}, ${toUuid("trigger", id)}, ${kind}, ${at}::text[]::timestamptz[]) at`);
  publishChange(tx, accountId, "triggers");
  return rows.map(({ ms }) => new Date(Math.round(ms)));
}
