import { and, count, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { type Schedule, triggers, triggerTicks } from "#db/schema/triggers.ts";
import { canonicalJson } from "#server/canonical-json.ts";
import { defined } from "#server/defined.ts";
import { newId } from "#server/ids.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { type Assignment, assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { holdVersion } from "#server/workflows/queries.ts";
import { refuseStart, versionNamed } from "./check-start.ts";
import { readClock, readTrigger, resetTrigger, type TriggerRow, theTrigger } from "./queries.ts";
import { PutTrigger, TRIGGER_LIMITS, Trigger } from "./schema.ts";
import { faultsOfSchedule, scheduleOf, timeAfter } from "./times.ts";

export const putTrigger = capability({
  id: "put",
  title: "Put a trigger",
  description:
    "Stores under a name when which run is created by itself. The run is created as the key or the member who put the trigger last, and judged, limited and charged as theirs each time; needs `runs:write`, and what creating such a run needs. What it was paused for ends, but a pause by hand.",
  input: PutTrigger,
  output: z.object({ trigger: Trigger }),
  modes: ["invoke"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-triggers", "put"),

  async check({ on, start }, { caller }) {
    const issues = faultsOfSchedule(on, "on");
    if (caller) await refuseStart(caller, start);
    return issues;
  },

  nameOf: ({ name }) => name,

  async handler({ input, caller, tx }) {
    const assignment = await assignmentOf(tx, caller);
    const existing = await findTrigger(tx, assignment, input.name);
    const pinned = await versionNamed(caller, input.start);
    if (pinned) await holdVersion(tx, caller.accountId, pinned);
    const { serviceId, operationId, input: started = null, connectionId = null, ...bounds } = input.start;
    const { callerType, callerId } = initiatorOf(caller);
    const content = {
      serviceId,
      operationId,
      start: JSON.stringify({ input: started, connectionId, ...bounds }),
      overlap: input.overlap,
      catchUpSeconds: input.catchUpSeconds,
      jitterSeconds: input.jitterSeconds,
      pauseAfterFailures: input.pauseAfterFailures ?? null,
      workflowId: pinned?.id ?? null,
      workflowVersion: pinned?.version ?? null,
      callerType,
      callerId,
      failures: 0,
      lastError: null,
      neededCredits: null,
      ...(await timesOf(tx, existing, scheduleOf(input.on))),
    };
    const which = existing
      ? await replace(tx, existing, content)
      : await insert(tx, assignment, { name: input.name, ...content });
    await resetTrigger(tx, which);
    return { trigger: await readTrigger(tx, which) };
  },
});

type Times = Pick<TriggerRow, "schedule" | "anchorAt" | "nextAt" | "pausedReason" | "updatedAt">;

/** When a trigger that is put comes next. Put again with the same schedule, it goes on in it. */
async function timesOf(
  tx: Transaction,
  existing: TriggerRow | undefined,
  schedule: Schedule,
): Promise<Times> {
  const now = await readClock(tx);
  const isSame = existing !== undefined && canonicalJson(existing.schedule) === canonicalJson(schedule);
  const anchorAt = isSame ? existing.anchorAt : now;
  const next = timeAfter({ schedule, anchorAt }, now);
  if (!next && !isSame)
    throw invalid("body.input.on.at", `It is ${now.toISOString()}: that moment has passed.`);
  const pausedReason = existing?.pausedReason === "manual" ? "manual" : null;
  const goesOn = isSame && existing.pausedReason !== "owner_ended" && existing.pausedReason !== "failing";
  const nextAt = pausedReason ? null : goesOn ? (existing.nextAt ?? next) : next;
  return { schedule, anchorAt, nextAt, pausedReason, updatedAt: now };
}

/** The trigger of this name, which nobody else changes until the transaction's end, nor makes where there is none. */
async function findTrigger(
  tx: Transaction,
  assignment: Assignment,
  name: string,
): Promise<TriggerRow | undefined> {
  const { accountId } = assignment;
  const find = () =>
    tx
      .select()
      .from(triggers)
      .where(
        and(
          eq(triggers.accountId, accountId),
          eq(triggers.space, spaceOf(assignment)),
          eq(triggers.name, name),
        ),
      )
      .for("update");
  const [found] = await find();
  if (found) return found;
  // New ones are counted, so they come one after another.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`triggers ${accountId}`}, 0))`);
  const [meanwhile] = await find();
  return meanwhile;
}

type Content = Omit<
  typeof triggers.$inferInsert,
  "accountId" | "id" | "space" | "name" | "projectId" | "endUserId"
>;

async function insert(tx: Transaction, assignment: Assignment, content: Content & { name: string }) {
  const { accountId } = assignment;
  const [row] = await tx.select({ stored: count() }).from(triggers).where(eq(triggers.accountId, accountId));
  const most = TRIGGER_LIMITS.maximumTriggers;
  if (defined(row).stored >= most)
    throw new ApiError(
      "quota_exceeded",
      `The account has ${most} triggers, the most that there may be. Delete one that is not needed any more.`,
    );
  const which = { accountId, id: newId("trigger") };
  await tx.insert(triggers).values({ ...assignment, ...which, space: spaceOf(assignment), ...content });
  return which;
}

async function replace(tx: Transaction, existing: TriggerRow, content: Content) {
  if (canonicalJson(existing.schedule) !== canonicalJson(content.schedule))
    await tx
      .delete(triggerTicks)
      .where(
        and(
          eq(triggerTicks.accountId, existing.accountId),
          eq(triggerTicks.triggerId, existing.id),
          eq(triggerTicks.kind, "schedule"),
          eq(triggerTicks.state, "waiting"),
        ),
      );
  await tx.update(triggers).set(content).where(theTrigger(existing));
  return existing;
}
