import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { newId, toUuid } from "#server/base/ids.ts";
import { credentialOf, type InitiatorState } from "#server/members/initiator.ts";
import type { ApiError, ErrorCode } from "#server/operation/errors.ts";
import { execute } from "#server/operation/execute.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { usableCapability } from "#server/services/capabilities.ts";
import { runsCreate } from "./check-start.ts";
import type { ClaimedTrigger } from "./claim-triggers.ts";
import { type DueTick, inputFor, type Occasion, occasionOf } from "./occasion.ts";
import { emitTriggerEvent, pauseTrigger, type StoredStart } from "./queries.ts";

/** The refusals that mean that the owner has ended. */
const ENDED: readonly ErrorCode[] = [
  "unauthenticated",
  "api_key_expired",
  "api_key_revoked",
  "ancestor_expired",
  "ancestor_revoked",
];

/** The seconds before another attempt, if the refusal does not say. */
const AGAIN_SECONDS = 5;
const LONGEST_SECONDS = 300;
/** The seconds before another attempt while the account's runs fill their budget. */
const FULL_SECONDS = 60;

/** Returns why the owner has ended; null if they have not. */
export function endOfOwner({ owner }: { owner: InitiatorState | null }): ErrorCode | null {
  return owner === null ? "unauthenticated" : owner.code;
}

/**
 * Starts the run of a tick: a call of `runs.create` on behalf of the trigger's owner, judged, limited, charged and
 * audited as theirs. The tick is marked in the transaction that creates the run. A refusal pauses the trigger,
 * postpones the tick or ends it. Returns whether the run was started.
 */
export async function startRun(db: Db, trigger: ClaimedTrigger, tick: DueTick): Promise<boolean> {
  const refusal = await create(trigger, tick.at, await occasionOf(db, trigger, tick));
  if (refusal) await handleRefusal(db, trigger, tick.at, refusal);
  return refusal === null;
}

async function handleRefusal(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  if (ENDED.includes(refusal.code)) return db.transaction((tx) => pauseTrigger(tx, trigger, "owner_ended"));
  if (refusal.code === "insufficient_credits")
    return db.transaction((tx) => pauseTrigger(tx, trigger, "no_credits", neededBy(trigger)));
  if (isTemporary(refusal)) return postpone(db, trigger, at, refusal);
  return refuse(db, trigger, at, refusal);
}

async function create(
  trigger: ClaimedTrigger,
  at: Date,
  { occasion, depth }: { occasion: Occasion; depth: number },
): Promise<ApiError | null> {
  const { serviceId, operationId, owner } = trigger;
  const { input, connectionId, ...bounds } = parseKeepingDigits<StoredStart>(trigger.start);
  const answer = await execute({
    operation: runsCreate(),
    transport: "trigger",
    requestId: newId("request"),
    tick: { triggerId: trigger.id, at, fence: trigger.fence, depth },
    credential: credentialOf(
      { accountId: trigger.accountId, callerId: trigger.callerId, hash: owner?.hash },
      trigger.id,
    ),
    params: {},
    readQuery: () => ({}),
    async readBody() {
      const capability = usableCapability("run", serviceId, operationId, {
        connectionId: connectionId ?? undefined,
        input,
      });
      return {
        serviceId,
        operationId,
        ...bounds,
        ...(connectionId !== null && { connectionId }),
        input: await inputFor(trigger.accountId, capability, input, occasion),
      };
    },
    contentType: "application/json",
    project: trigger.projectId,
    endUser: owner?.endUser ?? null,
    headerFault: null,
    // A call after a change of the trigger is a different call, not a repeat.
    idempotencyKeys: [`${trigger.id}:${at.getTime()}:${trigger.updatedAt.getTime()}`],
    ip: null,
    userAgent: `trigger ${trigger.id}`,
    signal: new AbortController().signal,
  });
  return answer.error;
}

function neededBy({ serviceId, operationId }: ClaimedTrigger): number {
  return usableCapability("run", serviceId, operationId, {}).price.maximum;
}

/** True if the same call may succeed later. */
function isTemporary({ code, status }: ApiError): boolean {
  return status >= 500 || status === 429 || code === "idempotency_in_progress" || code === "quota_exceeded";
}

const errorJson = ({ code, message }: ApiError) => JSON.stringify({ code, message });
const uuids = ({ accountId, id, fence }: ClaimedTrigger) =>
  sql`${toUuid("account", accountId)}, ${toUuid("trigger", id)}, ${fence}::int`;

/** Postpones a tick; a tick that would then be too late is missed, which the trigger's event reports. */
async function postpone(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  const { retryAfterSeconds = refusal.code === "quota_exceeded" ? FULL_SECONDS : AGAIN_SECONDS } =
    refusal.details;
  const seconds = Math.min(Math.max(retryAfterSeconds, 1), LONGEST_SECONDS);
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ waits: boolean | null }>(
      sql`select postpone_tick(${uuids(trigger)}, ${at.toISOString()}, ${errorJson(refusal)}::jsonb, ${seconds}) as waits`,
    );
    publishChange(tx, trigger.accountId, "triggers");
    if (row?.waits === false) await emitTriggerEvent(tx, trigger, "trigger.failed");
  });
}

async function refuse(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ failed: number | null }>(
      sql`select refuse_tick(${uuids(trigger)}, ${at.toISOString()}, ${errorJson(refusal)}::jsonb) as failed`,
    );
    publishChange(tx, trigger.accountId, "triggers");
    if (row?.failed == null) return;
    await emitTriggerEvent(tx, trigger, "trigger.failed");
    const most = trigger.pauseAfterFailures;
    if (most !== null && row.failed >= most) await pauseTrigger(tx, trigger, "failing");
  });
}
