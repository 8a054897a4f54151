import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { runs } from "#db/schema/runs.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Operation } from "#server/operation/operation.ts";
import { fromStored } from "#server/operation/payload.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { AuditBody, AuditEvent } from "./schema.ts";

type Body = z.input<typeof AuditBody>;

const NONE =
  "No privacy tier stores the bodies of calls. A run stores its input, and an approval stores the approved body.";

/**
 * Returns the body of a call if the run or approval that it created stores it, otherwise the reason why not; null for a
 * call without a body.
 */
export async function bodyOf(
  db: Db | Transaction,
  caller: Caller,
  { resource, outcome, requestId }: AuditEvent,
  operation: Operation | undefined,
): Promise<Body | null> {
  if (!operation?.body) return null;
  if (outcome === "allowed" && resource?.startsWith("run_") && caller.scopes.includes("runs:read")) {
    const [run] = await db
      .select()
      .from(runs)
      .where(and(visible(runs, caller), eq(runs.id, resource), eq(runs.requestId, requestId)));
    if (run) return bodyOfRun(run);
  }
  if (operation.id === "approvals.create" && resource && caller.scopes.includes("approvals:read")) {
    const [approval] = await db
      .select()
      .from(approvals)
      .where(and(visible(approvals, caller), eq(approvals.id, resource)));
    if (approval) return bodyOfApproval(approval);
  }
  return { body: null, why: NONE };
}

function bodyOfRun(run: typeof runs.$inferSelect): Body {
  const { serviceId, operationId, privacyTier, forgottenAt } = run;
  if (run.input !== null)
    return { body: { serviceId, operationId, input: fromStored(run, "input", run.input) }, why: null };
  return {
    body: null,
    why: forgottenAt
      ? "The run's input was deleted when the run was forgotten."
      : `The key’s privacy tier is ${privacyTier}: a run’s input is deleted after its end.`,
  };
}

function bodyOfApproval({ id, payload, sealedPayload }: typeof approvals.$inferSelect): Body {
  const kept = payload ?? fromStored({ id, privacyTier: "strict" }, "payload", sealedPayload);
  if (kept !== null) return { body: kept, why: null };
  return {
    body: null,
    why: "The key’s privacy tier stores no bodies: the approved body is deleted when the approval is settled.",
  };
}
