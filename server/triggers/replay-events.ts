import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { triggerTicks } from "#db/schema/triggers.ts";
import { toUuid } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { refuseScope } from "./check-start.ts";
import { lockTrigger, readTrigger, type TriggerRow } from "./queries.ts";
import { ReplayEvents, TRIGGER_LIMITS, Trigger } from "./schema.ts";
import { ownerEnded } from "./switch-trigger.ts";

export const replayEvents = capability({
  id: "replay",
  title: "Replay events of a trigger",
  description: `Starts runs for events that have come and have started none: they were missed, passed over or refused. They begin anew, at most ${TRIGGER_LIMITS.maximumReplay} at once, the oldest first; events are kept for 30 days. While the trigger is paused they wait. Needs \`runs:write\`.`,
  input: ReplayEvents,
  output: z.object({
    trigger: Trigger,
    replayed: z.int().describe("How many events begin anew."),
  }),
  modes: ["invoke"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "replay"),
  nameOf: ({ name }) => name,

  async handler({ input: { name, eventId }, caller, tx }) {
    refuseScope(caller);
    const trigger = await lockTrigger(tx, caller, name);
    if (trigger.pausedReason === "owner_ended") throw ownerEnded(name);
    const { accountId, id } = trigger;
    const [row] = await tx.execute<{ replayed: number }>(sql`
      select replay_ticks(${toUuid("account", accountId)}, ${toUuid("trigger", id)},
        ${eventId ? toUuid("sentEvent", eventId) : null}, ${TRIGGER_LIMITS.maximumReplay}) as replayed`);
    const replayed = row?.replayed ?? 0;
    if (eventId !== undefined && replayed === 0) throw await refusalOf(tx, trigger, eventId);
    publishChange(tx, accountId, "triggers");
    return { trigger: await readTrigger(tx, trigger, caller), replayed };
  },
});

/** Returns why an event cannot be replayed. */
async function refusalOf(tx: Transaction, { accountId, id }: TriggerRow, eventId: string): Promise<ApiError> {
  const [tick] = await tx
    .select({ state: triggerTicks.state, runId: triggerTicks.runId })
    .from(triggerTicks)
    .where(
      and(
        eq(triggerTicks.accountId, accountId),
        eq(triggerTicks.triggerId, id),
        eq(triggerTicks.eventId, eventId),
      ),
    );
  if (tick?.state === "started")
    return new ApiError("state_conflict", `The event has started run ${tick.runId}. Retry that instead.`);
  if (tick?.state === "waiting")
    return new ApiError("state_conflict", "The event waits for its run already.");
  return new ApiError("not_found", `No event ${eventId} is kept for the trigger.`);
}
