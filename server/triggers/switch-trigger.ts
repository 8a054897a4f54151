import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { triggers, triggerTicks } from "#db/schema/triggers.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { putWebhook } from "./inbound/put-webhook.ts";
import { isTrigger, lockTrigger, pauseTrigger, readClock, readTrigger, resetTrigger } from "./queries.ts";
import { Trigger, TriggerReference } from "./schema.ts";
import { timeAfter } from "./times.ts";

const shared = {
  input: TriggerReference,
  output: z.object({ trigger: Trigger }),
  modes: ["invoke"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  secretOutput: true,
} as const;

export const pauseByHand = capability({
  ...shared,
  id: "pause",
  title: "Pause a trigger",
  description:
    "Nothing is started by its schedule until it is resumed, and events wait for seven days; its runs go on. Pausing it again changes nothing.",
  price: priceOf("managed-triggers", "pause"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    const trigger = await lockTrigger(tx, caller, name);
    await pauseTrigger(tx, trigger, "manual");
    return { trigger: await readTrigger(tx, trigger, caller) };
  },
});

export const resumeTrigger = capability({
  ...shared,
  id: "resume",
  title: "Resume a trigger",
  description:
    "Its schedule goes on from now; times that came while it was paused are not made up for: `backfill` does that. Events that waited start their runs. Resuming one that is not paused changes nothing. One whose owner has ended is put again instead.",
  price: priceOf("managed-triggers", "resume"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    const trigger = await lockTrigger(tx, caller, name);
    if (trigger.pausedReason === "owner_ended") throw ownerEnded(name);
    // A trigger without credits resumes by itself when there are some.
    if (trigger.pausedReason === "manual" || trigger.pausedReason === "failing") {
      const now = await readClock(tx);
      const change = { pausedReason: null, failures: 0, nextAt: timeAfter(trigger, now), updatedAt: now };
      await tx.update(triggers).set(change).where(isTrigger(trigger));
      await resetTrigger(tx, trigger);
    }
    return { trigger: await readTrigger(tx, trigger, caller) };
  },
});

/** Returns the error for a trigger whose owner has ended. */
export function ownerEnded(name: string): ApiError {
  const shown = JSON.stringify(name);
  return new ApiError(
    "state_conflict",
    `Who put the trigger ${shown} counts no more. Put it again: then it is yours, and active.`,
  );
}

export const deleteTrigger = capability({
  ...shared,
  id: "delete",
  title: "Delete a trigger",
  description: "Nothing more is started by it. The runs that it has started stay, and those under way go on.",
  destructive: true,
  price: priceOf("managed-triggers", "delete"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    const trigger = await lockTrigger(tx, caller, name);
    const answered = await readTrigger(tx, trigger, caller);
    const { accountId, id } = trigger;
    await tx
      .delete(triggerTicks)
      .where(and(eq(triggerTicks.accountId, accountId), eq(triggerTicks.triggerId, id)));
    await putWebhook(tx, { accountId, triggerId: id }, undefined);
    await tx.delete(triggers).where(isTrigger(trigger));
    publishChange(tx, accountId, "triggers");
    return { trigger: answered };
  },
});
