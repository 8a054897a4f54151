import { sql } from "drizzle-orm";
import { afterCommit } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, newId, toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { causingRun } from "#server/operation/causing-run.ts";
import { ApiError } from "#server/operation/errors.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { quotaExceeded } from "#server/storage/queries.ts";
import { EVENT_LIMITS, SendEvent, SentEvent } from "./schema.ts";

export const sendEvent = capability({
  id: "send",
  title: "Send an event",
  description:
    "Resumes the runs whose step `await` waits for the event, in each run the step that has waited longest; for 30 days, also steps that begin to wait later. Each trigger `on` the event starts a run. Only runs and triggers of exactly the same project and end user receive it. Needs `runs:write`.",
  input: SendEvent,
  output: SentEvent,
  modes: ["invoke"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-events", "send"),

  check({ data }, { caller }) {
    if (caller) refuseScope(caller);
    const bytes = new TextEncoder().encode(JSON.stringify(data ?? null)).length;
    const most = EVENT_LIMITS.maximumDataBytes;
    return bytes > most ? [{ path: "data", message: `It has ${bytes} bytes of JSON; at most ${most}.` }] : [];
  },

  nameOf: ({ name }) => name,

  async handler({ input: { name, key = null, data = null, id: reference = null }, caller, tx }) {
    const { accountId, privacyTier } = caller;
    const { projectId, endUserId } = await assignmentOf(tx, caller);
    const id = newId("sentEvent");
    const run = causingRun();
    const stored = toStored({ id, privacyTier }, "data", data);
    const [row] = await tx.execute<{
      event_id: string;
      resumed: number;
      started: number;
      repeated: boolean;
      used: string | null;
    }>(sql`
      select event_id, resumed, started, repeated, used::text as used from send_event(${toUuid("account", accountId)}, ${toUuid("sentEvent", id)},
        ${projectId && toUuid("project", projectId)}, ${endUserId && toUuid("endUser", endUserId)},
        ${spaceOf({ accountId, projectId, endUserId })}, ${name}, ${key}, ${reference}, ${stored}, ${privacyTier},
        ${JSON.stringify({ name, key, data })}::jsonb, ${run && toUuid("run", run)}, ${platform().settings.storage.eventsBytes})`);
    const { event_id, resumed, started, repeated, used } = defined(row);
    if (used !== null) throw quotaExceeded("events", Number(used), stored.byteLength);
    if (resumed > 0) {
      publishChange(tx, accountId, "runs");
      afterCommit(tx, () => platform().wakeUps.send("runs"));
    }
    if (started > 0) publishChange(tx, accountId, "triggers");
    return { eventId: idOf("sentEvent", event_id), resumed, started, repeated };
  },
});

/** Refuses callers who may not resume runs: an event must not bypass the scope. */
function refuseScope(caller: Caller): void {
  if (caller.scopes.includes("runs:write")) return;
  const who = caller.type === "key" ? `Key ${caller.id}` : "Your role";
  throw new ApiError("scope_missing", `${who} lacks the scope runs:write, which sending events needs.`, {
    check: "scope",
    ...(caller.type === "key" && { keyId: caller.id }),
  });
}
