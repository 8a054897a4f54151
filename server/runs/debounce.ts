import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { type Assignment, spaceOf } from "#server/operation/tenancy.ts";
import type { debounce } from "./flow-schema.ts";

interface Operation extends Assignment {
  serviceId: string;
  operationId: string;
}

/**
 * Returns the run that a call under a debounce key concerns: the waiting one or a new one, and its start time after
 * this call. Until the transaction ends, no other call under the key continues and the run does not start.
 */
export async function debouncedRun(
  tx: Transaction,
  { serviceId, operationId, ...assignment }: Operation,
  { key, seconds, maxSeconds = Number.POSITIVE_INFINITY }: z.output<typeof debounce>,
) {
  const space = spaceOf(assignment);
  const name = JSON.stringify(["debounce", space, serviceId, operationId, key]);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  const [waiting] = await tx
    .select({ id: runs.id, debouncedSince: runs.debouncedSince })
    .from(runs)
    .where(
      and(
        eq(runs.accountId, assignment.accountId),
        eq(runs.debounceSpace, space),
        eq(runs.serviceId, serviceId),
        eq(runs.operationId, operationId),
        eq(runs.debounceKey, key),
        isNotNull(runs.delayedUntil),
      ),
    )
    .for("update");
  const [clock] = await tx.execute<{ ms: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const now = defined(clock).ms;
  const debouncedSince = waiting?.debouncedSince ?? new Date(now);
  return {
    isNew: !waiting,
    run: {
      id: waiting?.id ?? newId("run"),
      startsAt: new Date(Math.min(now + seconds * 1000, debouncedSince.getTime() + maxSeconds * 1000)),
      debounceSpace: space,
      debounceKey: key,
      debouncedSince,
    },
  };
}
