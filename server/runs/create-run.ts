import { z } from "zod";
import { approvalOf, consumeApproval } from "#server/approvals/queries.ts";
import { refuseUnfit } from "#server/connections/queries.ts";
import type { Charge } from "#server/credits/charge.ts";
import { newId } from "#server/ids.ts";
import { selectorsOf, targetIn } from "#server/operation/access.ts";
import { invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toStored } from "#server/operation/payload.ts";
import { assignmentOf, selectedBy } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { connectionOf, parseCapabilityInput, usableCapability } from "#server/services/capabilities.ts";
import { PRICE_VERSION } from "#server/services/prices.ts";
import type { Capability } from "#server/services/service.ts";
import { insertRun } from "./insert-run.ts";
import { CreateRun, Run } from "./schema.ts";

export const createRun = operation({
  id: "runs.create",
  method: "POST",
  path: "/runs",
  summary: "Run a service's operation durably",
  description:
    "Queues a run, which goes on through crashes and restarts until it ends. Its price is held now and settled when it succeeds; a failure charges nothing of it but the tokens that an agent has used. What the run does is judged as the calling key's at the time it does it.",
  scope: "runs:write",
  service: ({ body }) => targetIn(body),
  usesServices: "run",
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
    const input = await parseCapabilityInput(capability, body.input, "body.input", {
      accountId: caller.accountId,
      connectionId,
    });
    if (connectionId !== undefined && !capability.usesConnection)
      throw invalid("body.connectionId", `${serviceId} uses no connection. Leave it out.`);
    if (connectionId !== undefined) await refuseUnfit(db, caller, connectionId, capability.address);
    const approval = approvalOf(capability, { serviceId, input, approvalId: body.approvalId });
    const workflow = (await capability.pin?.(input, selectedBy(caller), "body.input")) ?? null;
    const { privacyTier } = caller;
    const id = newId("run");
    const charge = chargeOfRun(capability, { caller, serviceId, operationId, requestId: request.id });
    const output = await commit(async (tx) => {
      if (approval) await consumeApproval(tx, { ...approval, caller });
      const { projectId, endUserId } = await assignmentOf(tx, caller);
      return {
        run: await insertRun(tx, {
          id,
          serviceId,
          operationId,
          projectId,
          endUserId,
          privacyTier,
          charge,
          parentId: request.runId,
          depth: request.runDepth,
          workflow,
          name: capability.nameOf?.(input),
          connectionId: connectionId ?? null,
          input: toStored({ id, privacyTier }, "input", body.input),
          maxAttempts: body.maxAttempts,
          expiresInSeconds: body.expiresInSeconds,
        }),
      };
    });
    platform().wakeUps.send("runs");
    return output;
  },
});

/** What a run of a capability may cost at today's price, and who pays; a retried one is paid like any other. */
export function chargeOfRun(
  { price, priceVersion = PRICE_VERSION }: Capability,
  {
    serviceId,
    operationId,
    ...payer
  }: Pick<Charge, "caller" | "requestId"> & { serviceId: string; operationId: string },
): Charge {
  return {
    ...payer,
    selectors: selectorsOf(createRun, { serviceId, operationId }),
    credits: price.maximum,
    description: `${serviceId} ${operationId}`,
    priceVersion,
  };
}
