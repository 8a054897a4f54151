import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";

interface Refusal {
  keyId: string;
  selector: string;
  limit: number;
}

/** Refuses a run that exceeds a `maxConcurrent` on `runs.create`, which counts live runs and not calls. */
export async function refuseLiveRuns(
  tx: Transaction,
  caller: Caller,
  selectors: readonly string[],
): Promise<void> {
  if (caller.type !== "key") return;
  const keys = caller.chain.map((id) => uuidOf("apiKey", id));
  const [row] = await tx.execute<{ refusal: Refusal | null }>(sql`
    select live_runs_refusal(${uuidOf("account", caller.accountId)}, ${sql.param(keys)}::uuid[],
      ${sql.param(selectors)}::text[]) as refusal`);
  if (!row?.refusal) return;
  const { selector, limit } = row.refusal;
  const keyId = idOf("apiKey", row.refusal.keyId);
  throw new ApiError("limit_exhausted", `Key ${keyId} allows ${limit} live runs on ${selector}.`, {
    check: "limit",
    keyId,
    limit: { operation: selector, kind: "maxConcurrent", keyId, limit, resetAt: null },
    retryAfterSeconds: 1,
    headers: { "x-service-limit-operation": defined(selectors[0]) },
  });
}
