import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { inboundWebhooks, triggers, triggerTicks } from "#db/schema/triggers.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { causingRun } from "#server/operation/causing-run.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import type { CallTick } from "#server/operation/operation.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { isInReach, type Owned, outOfReach, reaches } from "#server/operation/reach.ts";
import { assignedAs, ownSpace } from "#server/operation/tenancy.ts";
import { addressOf } from "./inbound/secrets.ts";
import type { Trigger, TriggerTick } from "./schema.ts";

export type TriggerRow = typeof triggers.$inferSelect;
type Wire = z.input<typeof Trigger>;

/** The stored body with which runs are created. */
export interface StoredStart {
  input?: unknown;
  connectionId: string | null;
  maxAttempts: number;
  expiresInSeconds: number;
  tags?: string[];
  priority?: number;
  concurrency?: Wire["start"]["concurrency"];
  debounce?: Wire["start"]["debounce"];
}

/** The values of fields that did not exist when an old trigger was stored. */
const UNSENT = { tags: [], priority: 0, concurrency: [], debounce: null };

/** Returns the condition for triggers of exactly the caller's account, project and end user. */
export function ownTriggers(caller: Caller): SQL {
  return allOf(assignedAs(triggers, caller), eq(triggers.space, ownSpace(caller)));
}

/** Returns the condition for one trigger of its account, without a check of the caller. */
export function isTrigger({ accountId, id }: Pick<TriggerRow, "accountId" | "id">): SQL {
  return allOf(eq(triggers.accountId, accountId), eq(triggers.id, id));
}

/**
 * Returns the trigger of this name in the caller's own space, locked until the transaction ends. Refuses a missing one,
 * and one that the caller may not change.
 */
export async function lockTrigger(tx: Transaction, caller: Caller, name: string): Promise<TriggerRow> {
  const [row] = await tx
    .select()
    .from(triggers)
    .where(and(ownTriggers(caller), eq(triggers.name, name)))
    .for("update");
  if (!row) throw noSuchTrigger(name);
  const owned = toOwned(row);
  if (!(await isInReach(tx, caller, owned))) throw outOfReach(owned);
  return row;
}

/** Returns a trigger with its owner, who decides which keys may change it. */
export function toOwned({ accountId, name, callerType, callerId }: TriggerRow): Owned {
  return { kind: "trigger", accountId, name, callerType, callerId };
}

export function noSuchTrigger(name: string): ApiError {
  return new ApiError("not_found", `No trigger has the name ${JSON.stringify(name)}.`);
}

/** Returns the time for triggers: the database's, whatever this process's clock says. */
export async function readClock(db: Db | Transaction): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from trigger_clock()) * 1000)::float8 as ms`,
  );
  return new Date(Math.round(defined(row).ms));
}

/** Selects triggers for `toTrigger`. */
export function selectTriggers(db: Db | Transaction) {
  return db
    .select({
      ...getTableColumns(triggers),
      endUser: endUsers.externalId,
      webhook: inboundWebhooks,
      ownerChain: apiKeys.chain,
    })
    .from(triggers)
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, triggers.accountId),
        eq(triggers.callerType, "key"),
        sql`${apiKeys.id} = ${triggers.callerId}`,
      ),
    )
    .leftJoin(
      inboundWebhooks,
      and(eq(inboundWebhooks.accountId, triggers.accountId), eq(inboundWebhooks.triggerId, triggers.id)),
    )
    .leftJoin(endUsers, and(eq(endUsers.accountId, triggers.accountId), eq(endUsers.id, triggers.endUserId)));
}

export type InboundWebhook = typeof inboundWebhooks.$inferSelect;
export type ShownTrigger = Awaited<ReturnType<typeof selectTriggers>>[number];

/** True if events or deliveries start its runs, not a schedule. */
export const isByEvents = ({ schedule }: Pick<TriggerRow, "schedule">): boolean => schedule === null;

/** Returns the status of a trigger's row. */
function statusOf({
  pausedReason,
  nextAt,
  schedule,
}: Pick<TriggerRow, "pausedReason" | "nextAt" | "schedule">) {
  return pausedReason ? "paused" : nextAt || isByEvents({ schedule }) ? "active" : "ended";
}

/** The caller who sees a trigger; null in the payload of its events. */
export type Viewer = Pick<Caller, "scopes" | "type" | "id"> | null;

/**
 * True if the viewer may see the address, which starts runs on the owner's behalf. Runs may not: their journals keep
 * responses.
 */
function seesAddress(viewer: Viewer, { ownerChain }: ShownTrigger): boolean {
  if (!viewer || causingRun() !== null) return false;
  return viewer.scopes.includes("runs:write") && reaches(viewer, ownerChain);
}

function sourceOf(row: ShownTrigger, viewer: Viewer): Wire["on"] {
  const { schedule, event, conditions, webhook } = row;
  if (schedule) return schedule;
  const where = conditions && { where: conditions };
  if (event !== null) return { event, ...where };
  return { webhook: toInboundWebhook(defined(webhook), seesAddress(viewer, row)), ...where };
}

function toInboundWebhook(row: InboundWebhook, withAddress: boolean) {
  return {
    scheme: row.scheme,
    headerName: row.headerName,
    requestsPerMinute: row.requestsPerMinute,
    address: withAddress ? addressOf(row) : null,
    previousAddressUntil: row.previousUntil?.toISOString() ?? null,
    secretFingerprint: row.secretFingerprint,
    rejectedDeliveries: row.rejected,
  };
}

/** Returns a row in its public form. */
export function toTrigger(row: ShownTrigger, viewer: Viewer): Wire {
  const status = statusOf(row);
  const { input, ...start } = parseKeepingDigits<StoredStart>(row.start);
  return {
    id: row.id,
    name: row.name,
    on: sourceOf(row, viewer),
    start: {
      serviceId: row.serviceId,
      operationId: row.operationId,
      input: input ?? null,
      ...UNSENT,
      ...start,
    },
    overlap: row.overlap,
    catchUpSeconds: row.catchUpSeconds,
    jitterSeconds: row.jitterSeconds,
    pauseAfterFailures: row.pauseAfterFailures,
    status,
    pausedReason: row.pausedReason,
    nextAt: status === "active" ? (row.nextAt?.toISOString() ?? null) : null,
    lastRunId: row.lastRunId,
    lastError: row.lastError && { ...row.lastError, at: new Date(row.lastError.at).toISOString() },
    consecutiveFailures: row.failures,
    ownerKeyId: row.callerType === "key" ? idOf("apiKey", row.callerId) : null,
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Returns a trigger's current state. */
export async function readTrigger(
  db: Db | Transaction,
  which: Pick<TriggerRow, "accountId" | "id">,
  viewer: Viewer,
): Promise<Wire> {
  const [row] = await selectTriggers(db).where(isTrigger(which));
  return toTrigger(defined(row), viewer);
}

/** Returns a tick in its public form. */
export function toTick(row: typeof triggerTicks.$inferSelect): z.input<typeof TriggerTick> {
  const { at, kind, state, runId, eventId, error } = row;
  return { scheduledAt: at.toISOString(), kind, state, runId, eventId, error };
}

/** Marks a tick as started by the run that this transaction creates, so that no other run starts for it. */
export async function startTick(
  tx: Transaction,
  accountId: string,
  { triggerId, at, fence }: CallTick,
  runId: string,
): Promise<void> {
  const [row] = await tx.execute<{ started: boolean }>(sql`
    select start_tick(${toUuid("account", accountId)}, ${toUuid("trigger", triggerId)}, ${fence}::int, ${at.toISOString()},
      ${toUuid("run", runId)}) as started`);
  if (!row?.started)
    throw new ApiError(
      "state_conflict",
      `The run of ${at.toISOString()} was started, or is another worker's to start.`,
    );
  publishChange(tx, accountId, "triggers");
}

/** Handles the end of a run that a trigger has started. */
export async function followTriggeredRun(
  tx: Transaction,
  { accountId, triggerId, status }: { accountId: string; triggerId: string; status: string },
): Promise<void> {
  const [row] = await tx.execute<{ failing: boolean | null }>(sql`
    select end_triggered_run(${toUuid("account", accountId)}, ${toUuid("trigger", triggerId)}, ${status}) as failing`);
  publishChange(tx, accountId, "triggers");
  if (row?.failing) await pauseTrigger(tx, { accountId, id: triggerId }, "failing");
}

type Reason = NonNullable<TriggerRow["pausedReason"]>;

/** Pauses a trigger and emits its event, unless it is paused already. */
export async function pauseTrigger(
  tx: Transaction,
  which: Pick<TriggerRow, "accountId" | "id">,
  reason: Reason,
  neededCredits: number | null = null,
): Promise<void> {
  const [row] = await tx.execute<{ paused: boolean }>(sql`
    select pause_trigger(${toUuid("account", which.accountId)}, ${toUuid("trigger", which.id)}, ${reason}, ${neededCredits}) as paused`);
  if (row?.paused) await emitTriggerEvent(tx, which, "trigger.paused");
}

/** Emits an event with a trigger's current state. */
export async function emitTriggerEvent(
  tx: Transaction,
  which: Pick<TriggerRow, "accountId" | "id">,
  type: "trigger.paused" | "trigger.failed",
): Promise<void> {
  const [row] = await selectTriggers(tx).where(isTrigger(which));
  if (!row) return;
  const { accountId, projectId, endUserId, id } = row;
  await emitEvent(tx, {
    type,
    accountId,
    projectId,
    endUserId,
    resource: id,
    data: { trigger: toTrigger(row, null) },
  });
}

/** Makes the triggers of these ended keys due, so that a worker pauses them. */
export async function wakeTriggersOf(
  tx: Transaction,
  accountId: string,
  keyIds: readonly string[],
): Promise<void> {
  const owners = sql.param(keyIds.map((id) => toUuid("apiKey", id)));
  await tx.execute(sql`
    update triggers set due_at = trigger_clock()
    where account_id = ${toUuid("account", accountId)} and caller_type = 'key' and caller_id = any(${owners}::uuid[])
      and claimed_by is null and ready_at is null and paused_reason is distinct from 'owner_ended'`);
}

/** Takes a changed trigger from its worker, and makes a worker handle it anew. */
export async function resetTrigger(
  tx: Transaction,
  { accountId, id }: Pick<TriggerRow, "accountId" | "id">,
): Promise<void> {
  await tx.execute(sql`select reset_trigger(${toUuid("account", accountId)}, ${toUuid("trigger", id)})`);
  publishChange(tx, accountId, "triggers");
}

/** Reads the newest ticks of a trigger. */
export function newestTicks(
  db: Db | Transaction,
  { accountId, id }: Pick<TriggerRow, "accountId" | "id">,
  most: number,
) {
  return db
    .select()
    .from(triggerTicks)
    .where(and(eq(triggerTicks.accountId, accountId), eq(triggerTicks.triggerId, id)))
    .orderBy(sql`${triggerTicks.at} desc`)
    .limit(most);
}
