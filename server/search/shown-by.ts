import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { swapRoutes } from "#db/schema/swaps.ts";
import { workflowVersions } from "#db/schema/workflows.ts";
import type { IdKind } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { visible } from "#server/operation/tenancy.ts";
import { exactly, type IdRange } from "./term.ts";

type Read = (db: Db | Transaction, caller: Caller, id: string) => Promise<{ id: string | null }[]>;

/**
 * The resource that shows one without a page: the result of a quote, the swap of a route, the workflow of a version.
 */
const SHOWN_BY: Partial<Record<IdKind, Read>> = {
  quote: (db, caller, id) =>
    db
      .select({ id: quotes.usedBy })
      .from(quotes)
      .where(and(visible(quotes, caller), eq(quotes.id, id))),
  route: (db, caller, id) =>
    db
      .select({ id: swapRoutes.swapId })
      .from(swapRoutes)
      .where(and(visible(swapRoutes, caller), eq(swapRoutes.id, id))),
  workflowVersion: (db, caller, id) =>
    db
      .select({ id: workflowVersions.workflowId })
      .from(workflowVersions)
      .where(and(eq(workflowVersions.accountId, caller.accountId), eq(workflowVersions.id, id))),
};

/** Returns the ids of the resources that show those with these whole ids. */
export async function shownBy(
  db: Db | Transaction,
  caller: Caller,
  ranges: readonly IdRange[],
): Promise<IdRange[]> {
  const shown: IdRange[] = [];
  for (const { kind, first, last } of ranges) {
    const read = SHOWN_BY[kind];
    if (!read || first !== last) continue;
    const rows = await read(db, caller, first);
    shown.push(...rows.flatMap(({ id }) => (id && exactly(id)) || []));
  }
  return shown;
}
