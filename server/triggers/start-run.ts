import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { newId, toUuid } from "#server/ids.ts";
import { credentialOf, type InitiatorFacts } from "#server/members/initiator.ts";
import type { ApiError, ErrorCode } from "#server/operation/errors.ts";
import { execute } from "#server/operation/execute.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { usableCapability } from "#server/services/capabilities.ts";
import { runsCreate } from "./check-start.ts";
import type { ClaimedTrigger } from "./claim-triggers.ts";
import { type DueTick, inputFor, type Occasion, occasionOf } from "./occasion.ts";
import { emitTriggerEvent, pauseTrigger, type StoredStart } from "./queries.ts";

/** What says that nobody can be asked any more in whose name runs would be created. */
const ENDED: readonly ErrorCode[] = [
  "unauthenticated",
  "api_key_expired",
  "api_key_revoked",
  "ancestor_expired",
  "ancestor_revoked",
];

/** How long it is until another attempt where the refusal does not say. */
const AGAIN_SECONDS = 5;
const LONGEST_SECONDS = 300;
/** How long it is where the account's runs fill their budget. */
const FULL_SECONDS = 60;

/** Why its owner can't be asked any more; null where they can. */
export function endOfOwner({ owner }: { owner: InitiatorFacts | null }): ErrorCode | null {
  return owner === null ? "unauthenticated" : owner.code;
}

/**
 * Starts the run of a time: a call of `runs.create` in the name of the trigger's owner, judged, limited, charged and audited
 * as theirs. The tick is taken in the transaction that makes the run. A refusal pauses the trigger, or has the time tried
 * again, or ends it. Returns whether it was started.
 */
export async function startRun(db: Db, trigger: ClaimedTrigger, tick: DueTick): Promise<boolean> {
  const refusal = await create(trigger, tick.at, await occasionOf(db, trigger, tick));
  if (refusal) await follow(db, trigger, tick.at, refusal);
  return refusal === null;
}

async function follow(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  if (ENDED.includes(refusal.code)) return db.transaction((tx) => pauseTrigger(tx, trigger, "owner_ended"));
  if (refusal.code === "insufficient_credits")
    return db.transaction((tx) => pauseTrigger(tx, trigger, "no_credits", neededBy(trigger)));
  if (isPassing(refusal)) return postpone(db, trigger, at, refusal);
  return refuse(db, trigger, at, refusal);
}

async function create(
  trigger: ClaimedTrigger,
  at: Date,
  { occasion, depth }: { occasion: Occasion; depth: number },
): Promise<ApiError | null> {
  const { serviceId, operationId, owner } = trigger;
  const { input, connectionId, ...bounds } = parseKeepingDigits(trigger.start) as StoredStart;
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
    // What a change of the trigger has made another call is not a repeat of the one before.
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

/** Whether the same call may well succeed later. */
function isPassing({ code, status }: ApiError): boolean {
  return status >= 500 || status === 429 || code === "idempotency_in_progress" || code === "quota_exceeded";
}

const facts = ({ code, message }: ApiError) => JSON.stringify({ code, message });
const uuids = ({ accountId, id, fence }: ClaimedTrigger) =>
  sql`${toUuid("account", accountId)}, ${toUuid("trigger", id)}, ${fence}::int`;

/** Has a time tried again; one that comes too late by then is missed, which the trigger's event says. */
async function postpone(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  const { retryAfterSeconds = refusal.code === "quota_exceeded" ? FULL_SECONDS : AGAIN_SECONDS } =
    refusal.details;
  const seconds = Math.min(Math.max(retryAfterSeconds, 1), LONGEST_SECONDS);
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ waits: boolean | null }>(
      sql`select postpone_tick(${uuids(trigger)}, ${at.toISOString()}, ${facts(refusal)}::jsonb, ${seconds}) as waits`,
    );
    publishChange(tx, trigger.accountId, "triggers");
    if (row?.waits === false) await emitTriggerEvent(tx, trigger, "trigger.failed");
  });
}

async function refuse(db: Db, trigger: ClaimedTrigger, at: Date, refusal: ApiError): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ failed: number | null }>(
      sql`select refuse_tick(${uuids(trigger)}, ${at.toISOString()}, ${facts(refusal)}::jsonb) as failed`,
    );
    publishChange(tx, trigger.accountId, "triggers");
    if (row?.failed == null) return;
    await emitTriggerEvent(tx, trigger, "trigger.failed");
    const most = trigger.pauseAfterFailures;
    if (most !== null && row.failed >= most) await pauseTrigger(tx, trigger, "failing");
  });
}
