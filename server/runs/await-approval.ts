import { consumeApproval, readApproval, requestApproval } from "#server/approvals/queries.ts";
import { ApiError } from "#server/operation/errors.ts";
import { toStored } from "#server/operation/payload.ts";
import { type ApprovalRequest, RunFailure } from "./run-context.ts";
import type { StepParts } from "./step-lifecycle.ts";

/** Runs a step that waits for people's decision, without a worker, and consumes the approval. */
export async function awaitApproval(
  { run, db, journal, caller, lifecycle }: StepParts,
  name: string,
  ask: ApprovalRequest,
): Promise<{ id: string }> {
  const { enter, assertRunning, suspend, within, outputOf } = lifecycle;
  const entry = enter(name);
  if (entry?.state === "done") return outputOf(name, entry);
  const wanted = {
    kind: "workflow_step" as const,
    serviceId: run.serviceId,
    subject: { operationId: run.operationId, id: run.id },
  };
  if (!entry) {
    assertRunning(
      await db.transaction(async (tx) => {
        const left = (run.expiresAt.getTime() - run.now()) / 1000;
        const { id } = await requestApproval(tx, {
          ...wanted,
          ...ask,
          caller,
          runId: run.id,
          initiatorMayApprove: ask.initiatorMayApprove ?? false,
          expiresInSeconds: Math.max(1, Math.floor(Math.min(ask.timeoutSeconds ?? Infinity, left))),
        });
        const output = toStored(run, name, { id });
        const seen = await journal.openStep(tx, {
          name,
          state: "waiting",
          output,
          data: { approvalId: id },
        });
        // Rolls back the request: another worker has claimed the run, and makes its own.
        if (seen === null) assertRunning(seen);
        return seen;
      }),
    );
    return suspend(name, "approval");
  }
  const { id } = outputOf<{ id: string }>(name, entry);
  const approval = await readApproval(db, { caller, approvalId: id });
  if (approval?.status === "pending") return suspend(name, "approval");
  return within(name, async () => {
    if (approval?.status === "expired")
      throw new ApiError("service_timeout", `Nobody decided on approval ${id} in its time.`);
    if (approval?.status !== "approved")
      throw new RunFailure("approval_rejected", `Approval ${id} is ${approval?.status ?? "gone"}.`);
    const output = toStored(run, name, { id });
    assertRunning(
      await db.transaction(async (tx) => {
        await consumeApproval(tx, { ...wanted, approvalId: id, caller, payload: ask.payload });
        const seen = await journal.finishStep(tx, { name, output, startedAt: performance.now() });
        if (seen === null) assertRunning(seen);
        return seen;
      }),
    );
    return { id };
  });
}
