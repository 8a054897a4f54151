import { z } from "zod";
import { approvalOf, consumeApproval } from "#server/approvals/queries.ts";
import { newId } from "#server/base/ids.ts";
import { refuseUnfit } from "#server/connections/queries.ts";
import { targetIn } from "#server/operation/access.ts";
import { invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toStored } from "#server/operation/payload.ts";
import { assignmentOf, selectedBy } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { connectionOf, parseCapabilityInput, usableCapability } from "#server/services/capabilities.ts";
import { startTick } from "#server/triggers/queries.ts";
import { chargeOfRun } from "./charge-of-run.ts";
import { debouncedRun } from "./debounce.ts";
import { insertRun, replaceRun } from "./insert-run.ts";
import { CreateRun, RUN_SECONDS, Run } from "./schema.ts";

export const createRun = operation({
  id: "runs.create",
  method: "POST",
  path: "/runs",
  summary: "Run a service's operation durably",
  description:
    "Queues a run, which goes on through crashes and restarts until it ends. Its price is held when it starts and settled when it succeeds; a failure charges nothing of it but the tokens that an agent has used. The run's calls are judged as the calling key's at the time of each call.",
  scope: "runs:write",
  service: ({ body }) => targetIn(body),
  usesServices: "run",
  metered: true,
  idempotent: true,
  external: true,
  body: CreateRun,
  output: z.object({
    run: Run,
    debounced: z
      .boolean()
      .describe("Whether further calls with the same `debounce` key replace it until it starts."),
  }),
  status: 202,
  errors: ["not_found", "quota_exceeded", "insufficient_credits", "approval_required", "service_unavailable"],
  examples: {
    body: { serviceId: "managed-memory", operationId: "put", input: { content: "Hello, world." } },
  },

  bodyFaults({ startAt, debounce, approvalId }, at) {
    const most = at.getTime() + RUN_SECONDS.latestStart * 1000;
    if (debounce !== undefined && startAt !== undefined)
      return [{ path: "body.startAt", message: "Send one of startAt and debounce." }];
    if (debounce !== undefined && approvalId !== undefined)
      return [
        { path: "body.debounce", message: "An approval is of one call, used up by its run. Leave it out." },
      ];
    if (typeof startAt !== "string" || !(Date.parse(startAt) > most)) return [];
    return [{ path: "body.startAt", message: `At most a year ahead: ${new Date(most).toISOString()}.` }];
  },

  async handler({ body, caller, db, request, commit }) {
    const { serviceId, operationId } = body;
    const capability = usableCapability("run", serviceId, operationId, body);
    const connectionId = connectionOf(capability, body);
    const input = await parseCapabilityInput(capability, body.input, "body.input", {
      accountId: caller.accountId,
      connectionId,
      isStored: request.tick !== null,
    });
    if (connectionId !== undefined && !capability.usesConnection)
      throw invalid("body.connectionId", `${serviceId} uses no connection. Leave it out.`);
    if (connectionId !== undefined) await refuseUnfit(db, caller, connectionId, capability.address);
    const approval = approvalOf(capability, { serviceId, input, approvalId: body.approvalId });
    const workflow = (await capability.pin?.(input, selectedBy(caller), "body.input")) ?? null;
    const keepsEvents = (await capability.keepsEvents?.(input, caller.accountId, workflow)) ?? false;
    const { privacyTier } = caller;
    const charge = chargeOfRun(capability, { caller, serviceId, operationId, requestId: request.id });
    const output = await commit(async (tx) => {
      const assignment = await assignmentOf(tx, caller);
      const debounced =
        body.debounce && (await debouncedRun(tx, { ...assignment, serviceId, operationId }, body.debounce));
      const { id, ...start } = debounced?.run ?? {
        id: newId("run"),
        startsAt: body.startAt === undefined ? null : new Date(body.startAt),
      };
      if (request.tick) await startTick(tx, caller.accountId, request.tick, id);
      if (approval) await consumeApproval(tx, { ...approval, caller });
      const store = debounced && !debounced.isNew ? replaceRun : insertRun;
      const run = await store(tx, {
        id,
        ...start,
        serviceId,
        operationId,
        projectId: assignment.projectId,
        endUserId: assignment.endUserId,
        privacyTier,
        charge,
        parentId: request.runId,
        depth: request.runDepth,
        workflow,
        keepsEvents,
        trigger: request.tick,
        name: capability.nameOf?.(input),
        connectionId: connectionId ?? null,
        input: toStored({ id, privacyTier }, "input", body.input),
        maxAttempts: body.maxAttempts,
        tags: body.tags ?? [],
        priority: body.priority,
        concurrency: body.concurrency?.length ? body.concurrency : null,
        expiresInSeconds: body.expiresInSeconds,
      });
      return { run, debounced: debounced !== undefined };
    });
    platform().wakeUps.send("runs");
    return output;
  },
});
