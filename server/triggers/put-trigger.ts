import { and, count, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { type Schedule, triggers, triggerTicks } from "#db/schema/triggers.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { isInReach, nameTaken } from "#server/operation/reach.ts";
import { type Assignment, assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { isPlatforms } from "#server/sent-events/schema.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { holdVersion } from "#server/workflows/queries.ts";
import { refuseStart, versionNamed } from "./check-start.ts";
import { putWebhook } from "./inbound/put-webhook.ts";
import { faultsOf } from "./put-faults.ts";
import {
  isByEvents,
  isTrigger,
  readClock,
  readTrigger,
  resetTrigger,
  type TriggerRow,
  toOwned,
} from "./queries.ts";
import { PutTrigger, TRIGGER_LIMITS, Trigger } from "./schema.ts";
import { scheduleOf, timeAfter } from "./times.ts";

export const putTrigger = capability({
  id: "put",
  title: "Put a trigger",
  description:
    "Stores a trigger under a name: when it starts runs, and which ones. The runs belong to the key or member that last put the trigger, and are judged, limited and charged as theirs. Needs `runs:write` and all that creating such a run needs. An existing trigger of that name is replaced, and becomes the caller's, if the caller is its owner key, a key above that one, or a member; other keys are refused. A pause ends, unless somebody paused the trigger by hand.",
  input: PutTrigger,
  output: z.object({ trigger: Trigger }),
  modes: ["invoke"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "put"),

  async check(input, { caller }) {
    if (caller) await refuseStart(caller, input.start, scheduleOf(input.on) === null);
    return faultsOf(input);
  },

  nameOf: ({ name }) => name,

  async handler({ input, caller, tx }) {
    const assignment = await assignmentOf(tx, caller);
    const existing = await findTrigger(tx, assignment, input.name);
    const owned = existing && toOwned(existing);
    if (owned && !(await isInReach(tx, caller, owned))) throw nameTaken(owned);
    refuseStale(input, existing);
    const pinned = await versionNamed(caller, input.start);
    if (pinned) await holdVersion(tx, caller.accountId, pinned);
    const { serviceId, operationId, input: started = null, connectionId = null, ...bounds } = input.start;
    const { callerType, callerId } = initiatorOf(caller);
    const content = {
      serviceId,
      operationId,
      start: JSON.stringify({ input: started, connectionId, ...bounds }),
      ...boundsOf(input),
      event: input.on.event ?? null,
      conditions: input.on.where ?? null,
      ofPlatform: isPlatforms(input.on.event ?? ""),
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
    if (content.event !== null && content.event !== existing?.event)
      await refuseCrowd(tx, assignment, content.event);
    const which = existing
      ? await replace(tx, existing, content)
      : await insert(tx, assignment, { name: input.name, ...content });
    await putWebhook(tx, { accountId: which.accountId, triggerId: which.id }, input.on.webhook);
    await resetTrigger(tx, which);
    return { trigger: await readTrigger(tx, which, caller) };
  },
});

/** Refuses a change that is based on another state of the trigger than the stored one. */
function refuseStale({ name, ifUpdatedAt }: PutTrigger, existing: TriggerRow | undefined): void {
  const stored = existing?.updatedAt.toISOString() ?? null;
  if (ifUpdatedAt === undefined || ifUpdatedAt === stored) return;
  const shown = JSON.stringify(name);
  throw new ApiError(
    "state_conflict",
    stored === null
      ? `There is no trigger ${shown} any more. Leave out ifUpdatedAt to create it.`
      : `There is a trigger ${shown}, last changed at ${stored}. Read it, and send the change for that state.`,
  );
}

function boundsOf({ on, overlap, catchUpSeconds = 3600, jitterSeconds = 0 }: PutTrigger) {
  if (scheduleOf(on)) return { overlap: overlap ?? "skip", catchUpSeconds, jitterSeconds } as const;
  return {
    overlap: overlap ?? "allow",
    catchUpSeconds: TRIGGER_LIMITS.eventSeconds,
    jitterSeconds: 0,
  } as const;
}

type Times = Pick<TriggerRow, "schedule" | "anchorAt" | "nextAt" | "pausedReason" | "updatedAt">;

/**
 * Returns the schedule's columns of a stored trigger. A trigger that is stored again with the same schedule continues
 * it.
 */
async function timesOf(
  tx: Transaction,
  existing: TriggerRow | undefined,
  schedule: Schedule | null,
): Promise<Times> {
  const now = await readClock(tx);
  const isSame = existing !== undefined && canonicalJson(existing.schedule) === canonicalJson(schedule);
  const anchorAt = isSame ? existing.anchorAt : now;
  const next = timeAfter({ schedule, anchorAt }, now);
  if (schedule && !next && !isSame)
    throw invalid(
      "body.input.on.at",
      `It is ${now.toISOString()}: that moment has passed. Send a later one.`,
    );
  const pausedReason = existing?.pausedReason === "manual" ? "manual" : null;
  const goesOn = isSame && existing.pausedReason !== "owner_ended" && existing.pausedReason !== "failing";
  const nextAt = pausedReason ? null : goesOn ? (existing.nextAt ?? next) : next;
  const updatedAt = new Date(Math.max(now.getTime(), (existing?.updatedAt.getTime() ?? 0) + 1));
  return { schedule, anchorAt, nextAt, pausedReason, updatedAt };
}

/** Locks the trigger of this name until the transaction ends; if there is none, locks its creation. */
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
  // New triggers are counted, so they are created one after another.
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

/**
 * Refuses a further trigger on an event that has the maximum number: each one makes the sender's transaction store
 * another tick.
 */
async function refuseCrowd(tx: Transaction, assignment: Assignment, event: string): Promise<void> {
  const space = spaceOf(assignment);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`triggers by event ${space}`}, 0))`);
  const [row] = await tx
    .select({ stored: count() })
    .from(triggers)
    .where(
      and(eq(triggers.accountId, assignment.accountId), eq(triggers.space, space), eq(triggers.event, event)),
    );
  const most = TRIGGER_LIMITS.maximumPerEvent;
  if (defined(row).stored >= most)
    throw new ApiError(
      "quota_exceeded",
      `${most} triggers start runs at ${event}, the most that may. Have one run start the others.`,
    );
}

async function replace(tx: Transaction, existing: TriggerRow, content: Content) {
  if (canonicalJson(existing.schedule) !== canonicalJson(content.schedule))
    await dropWaiting(tx, existing, "schedule");
  if (existing.event !== content.event || isByEvents(existing) !== (content.schedule === null))
    await dropWaiting(tx, existing, "event");
  await tx.update(triggers).set(content).where(isTrigger(existing));
  return existing;
}

/** Deletes the waiting ticks of a schedule or event that the trigger no longer has. */
async function dropWaiting(tx: Transaction, { accountId, id }: TriggerRow, kind: "schedule" | "event") {
  await tx
    .delete(triggerTicks)
    .where(
      and(
        eq(triggerTicks.accountId, accountId),
        eq(triggerTicks.triggerId, id),
        eq(triggerTicks.kind, kind),
        eq(triggerTicks.state, "waiting"),
      ),
    );
}
