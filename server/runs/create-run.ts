import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { runs, runTimeline } from "#db/schema/runs.ts";
import { approvalOf, consumeApproval } from "#server/approvals/queries.ts";
import { refuseUnseen } from "#server/connections/queries.ts";
import type { Charge } from "#server/credits/charge.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { selectorsOf, subjectIn } from "#server/operation/access.ts";
import { invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toStored } from "#server/operation/payload.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import { assignmentOf } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { connectionOf, parseCapabilityInput, usableCapability } from "#server/services/capabilities.ts";
import { PRICE_VERSION } from "#server/services/prices.ts";
import { refuseLiveRuns } from "./live-runs.ts";
import { type RunRow, toRun } from "./queries.ts";
import { CreateRun, Run } from "./schema.ts";

/** What is held outlives the run by this: its end settles it, not the hold's own expiry. */
const HOLD_MARGIN_SECONDS = 3600;

export const createRun = operation({
  id: "runs.create",
  method: "POST",
  path: "/runs",
  summary: "Run a service's operation durably",
  description:
    "Queues a run, which goes on through crashes and restarts until it ends. Its price is held now and settled when it succeeds; a failure charges nothing of it. What the run does is judged as the calling key's at the time it does it.",
  scope: "runs:write",
  service: ({ body }) => subjectIn(body),
  dynamicSelectors: true,
  metered: true,
  idempotent: true,
  external: true,
  body: CreateRun,
  output: z.object({ run: Run }),
  status: 202,
  errors: ["not_found", "insufficient_credits", "approval_required", "service_unavailable"],
  examples: {
    body: { serviceId: "managed-memory", operationId: "put", input: { content: "Hello, world." } },
  },

  async handler({ body, caller, db, request, commit }) {
    const { serviceId, operationId } = body;
    const capability = usableCapability("run", serviceId, operationId, body);
    const connectionId = connectionOf(capability, body);
    const input = parseCapabilityInput(capability, body.input, "body.input", connectionId);
    if (connectionId !== undefined && !capability.usesConnection)
      throw invalid("body.connectionId", `${serviceId} uses no connection. Leave it out.`);
    if (connectionId !== undefined) await refuseUnseen(db, caller, connectionId);
    const approval = approvalOf(capability, { serviceId, input, approvalId: body.approvalId });
    const { privacyTier } = caller;
    const id = newId("run");
    const charge: Charge = {
      caller,
      selectors: selectorsOf(createRun, { serviceId, operationId }),
      credits: capability.price.maximum,
      description: `${serviceId} ${operationId}`,
      priceVersion: capability.priceVersion ?? PRICE_VERSION,
      requestId: request.id,
    };
    const output = await commit(async (tx) => {
      if (approval) await consumeApproval(tx, { ...approval, caller });
      const assignment = await assignmentOf(tx, caller);
      const account = uuidOf("account", caller.accountId);
      const uuid = uuidOf("run", id) as string;
      // Sent together: the transaction is open for one round trip more.
      const [, rows, , timeline] = await Promise.all([
        refuseLiveRuns(tx, caller, charge.selectors),
        tx
          .insert(runs)
          .values({
            ...{ ...assignment, id, serviceId, operationId, privacyTier },
            status: "queued",
            connectionId: connectionId ?? null,
            input: toStored({ id, privacyTier }, "input", body.input),
            maxAttempts: body.maxAttempts,
            callerType: caller.type === "key" ? "key" : "member",
            callerId: callerUuid(caller) as string,
            keyIds: caller.type === "key" ? [...caller.chain] : [],
            requestId: request.id,
            heldCredits: charge.credits,
            expiresAt: sql`clock_timestamp() + ${body.expiresInSeconds} * interval '1 second'`,
          })
          .returning(),
        tx.execute(sql`select queue_run(${account}, ${uuid})`),
        tx
          .select()
          .from(runTimeline)
          .where(and(eq(runTimeline.accountId, caller.accountId), eq(runTimeline.runId, id))),
        charge.credits > 0 && holdCredits(tx, uuid, charge, body.expiresInSeconds + HOLD_MARGIN_SECONDS),
      ]);
      return {
        run: toRun(rows[0] as RunRow, {
          timeline,
          artifactIds: [],
          endUser: caller.endUser?.externalId ?? null,
        }),
      };
    });
    platform().hints.send("runs");
    return output;
  },
});
