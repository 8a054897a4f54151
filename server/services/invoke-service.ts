import { z } from "zod";
import { approvalOf, consumeApproval } from "#server/approvals/queries.ts";
import { ServiceParams } from "#server/catalogue/schema.ts";
import { refuseUnfit } from "#server/connections/queries.ts";
import { type Charge, refuseUnaffordable } from "#server/credits/charge.ts";
import { chargeCredits } from "#server/credits/charge-credits.ts";
import { selectorsOf, targetIn } from "#server/operation/access.ts";
import { invalid } from "#server/operation/errors.ts";
import { exampleId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { CreateRun } from "#server/runs/schema.ts";
import { parseCapabilityInput, usableCapability } from "./capabilities.ts";
import { invokeOutside } from "./invoke-outside.ts";
import { PRICE_VERSION } from "./prices.ts";
import { serviceById } from "./registry.ts";

const InvokeService = CreateRun.pick({
  operationId: true,
  input: true,
  approvalId: true,
  connectionId: true,
});

export const invokeService = operation({
  id: "services.invoke",
  method: "POST",
  path: "/services/{serviceId}/invoke",
  summary: "Invoke a managed service",
  description:
    "Runs one operation of a managed service and returns its result. A failure charges nothing. Services whose operations have their own endpoints cannot be invoked here.",
  scope: "services:invoke",
  service: ({ params, body }) => ({ ...targetIn(body), serviceId: params.serviceId }),
  usesServices: "invoke",
  metered: true,
  idempotent: true,
  external: true,
  mayAnswerSecret({ params, body }) {
    const service = serviceById(String(params.serviceId));
    return (
      service?.capabilities.some(({ id, secretOutput }) => secretOutput && id === body.operationId) ?? false
    );
  },
  readsOnly({ params, body }) {
    const service = serviceById(String(params.serviceId));
    return (
      service?.capabilities.some(({ id, read }) => read !== undefined && id === body.operationId) ?? false
    );
  },
  // A provider's signing secret for webhooks may look like a secret of the platform.
  secretFields: ["input.on.webhook.secret"],
  params: ServiceParams,
  body: InvokeService,
  output: z.object({
    serviceId: z.string().describe("The service that was invoked."),
    operationId: z.string().describe("The operation that was invoked."),
    upstreamStatus: z.int().describe("The status that the service reported."),
    result: z.unknown().describe("The operation's result; the capability describes its schema."),
    chargedCredits: z.int().describe("The credits charged for the call."),
  }),
  errors: [
    "not_found",
    "already_exists",
    "insufficient_credits",
    "approval_required",
    "service_unavailable",
    "service_failed",
    "service_timeout",
    "service_rate_limited",
  ],
  examples: {
    body: { operationId: "put", input: { name: "greeting", content: "Hello, world." } },
    output: {
      serviceId: "managed-memory",
      operationId: "put",
      upstreamStatus: 200,
      result: { memory: { id: exampleId("memory"), name: "greeting", content: "Hello, world." } },
      chargedCredits: 1,
    },
  },

  async handler({ params: { serviceId }, body, caller, db, request, response, commit, effectId }) {
    const capability = usableCapability("invoke", serviceId, body.operationId, body);
    const { id: operationId, price, outside } = capability;
    const input = await parseCapabilityInput(capability, body.input, "body.input", {
      accountId: caller.accountId,
      caller,
    });
    if (body.connectionId !== undefined && !capability.usesConnection)
      throw invalid("body.connectionId", `${serviceId} uses no connection. Leave it out.`);
    if (body.connectionId !== undefined) await refuseUnfit(db, caller, body.connectionId, capability.address);
    const approval = approvalOf(capability, { serviceId, input, approvalId: body.approvalId });
    const charge: Charge = {
      caller,
      selectors: selectorsOf(invokeService, { serviceId, operationId }),
      credits: price.maximum,
      description: `${serviceId} ${operationId}`,
      priceVersion: capability.priceVersion ?? PRICE_VERSION,
      requestId: request.id,
    };
    const answer = (upstreamStatus: number, result: unknown, chargedCredits: number) => {
      response.charged(chargedCredits);
      return { serviceId, operationId, upstreamStatus, result, chargedCredits };
    };
    if (outside)
      return invokeOutside({
        commit,
        charge,
        approval,
        outside,
        price,
        call: {
          input,
          caller,
          requestId: request.id,
          idempotencyKey: effectId,
          connectionId: body.connectionId ?? null,
        },
        answer({ status, result, upstreamRequestId }, charged) {
          if (upstreamRequestId !== null) response.header("X-Service-Upstream-Request-Id", upstreamRequestId);
          return answer(status, result, charged);
        },
      });
    await refuseUnaffordable(db, charge);
    const read = await capability.read?.({ input, caller, db });
    if (capability.read && !approval && charge.credits === 0) {
      const output = answer(200, capability.output.parse(read), 0);
      await commit.batch(output, {});
      return output;
    }
    return commit(async (tx) => {
      if (approval) await consumeApproval(tx, { ...approval, caller });
      const result = capability.read
        ? read
        : await capability.handler?.({ input, caller, tx, requestId: request.id });
      await chargeCredits(tx, charge);
      return answer(200, capability.output.parse(result), charge.credits);
    });
  },
});
