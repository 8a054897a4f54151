import type { z } from "zod";
import { invalid } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { fromStored } from "#server/operation/payload.ts";
import { parseCapabilityInput } from "#server/services/capabilities.ts";
import type { Capability } from "#server/services/service.ts";
import { forgotten, type RunRow } from "./queries.ts";
import type { RetryRun } from "./schema.ts";

/** Returns the input of a retry: that of the earlier run, or the one that is sent in its place. */
export async function inputOfRetry(
  before: RunRow,
  { fromStep, input, workflow, workflowVersion }: z.output<typeof RetryRun>,
  capability: Capability,
): Promise<unknown> {
  const by = { accountId: before.accountId, connectionId: before.connectionId ?? undefined };
  if (input !== undefined && fromStep !== undefined)
    throw invalid("body.input", "The kept steps ran with the earlier input. Send input without fromStep.");
  if (input !== undefined && workflow !== undefined)
    throw invalid("body.workflow", "The input has the workflow. Send one of input and workflow.");
  if (workflowVersion !== undefined && (input !== undefined || workflow !== undefined))
    throw invalid("body.workflowVersion", "Send one of input, workflow and workflowVersion.");
  if (workflowVersion !== undefined && before.workflowName === null)
    throw invalid("body.workflowVersion", `Run ${before.id} is of no stored workflow.`);
  if (input !== undefined) {
    await parseCapabilityInput(capability, input, "body.input", by);
    return input;
  }
  if (!before.input) throw forgotten(before);
  const kept = fromStored(before, "input", before.input);
  if (workflowVersion !== undefined) return { ...(kept as object), version: workflowVersion };
  if (workflow === undefined) return kept;
  if (before.workflowName !== null)
    throw invalid(
      "body.workflow",
      `Run ${before.id} is of the stored workflow ${JSON.stringify(before.workflowName)}. Put the corrected one, and send its number as workflowVersion.`,
    );
  if (!capability.compare)
    throw invalid(
      "body.workflow",
      `Run ${before.id} is of ${before.serviceId} ${before.operationId}, which runs no workflow.`,
    );
  const corrected = { ...(kept as object), workflow };
  const parsed = await parseCapabilityInput(capability, corrected, "body", by);
  const issues = fromStep === undefined ? [] : capability.compare(kept, parsed, fromStep);
  if (issues.length > 0)
    throw invalidRequest(issues.map(({ path, message }) => ({ path: `body.${path}`, message })));
  return corrected;
}
