import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { swaps } from "#db/schema/swaps.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectSwaps, toSwap } from "./queries.ts";
import { Swap } from "./schema.ts";

export const listSwaps = operation({
  id: "swaps.list",
  method: "GET",
  path: "/swaps",
  summary: "List swaps",
  description: "Lists the swaps of managed wallets, newest first.",
  scope: "wallets:read",
  service: "universal-swaps",
  query: CountedPageQuery.extend({
    status: Swap.shape.status.optional().describe("Only swaps with this status."),
    walletId: idFilter("wallet").optional().describe("Only swaps of this wallet."),
    endUser: endUserFilter("Only swaps of"),
    search: searchBy("Only swaps of which a transaction's hash").describe(
      "Only swaps that a transaction with this hash belongs to, or whose id begins with this text.",
    ),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ swaps: z.array(Swap), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("swap", swaps.id, query);
    const condition = allOf(
      visible(swaps, caller),
      query.status && eq(swaps.status, query.status),
      query.walletId === undefined ? undefined : eq(swaps.walletId, query.walletId),
      ofEndUser(swaps.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : anyOf(
            sql`${swaps.transactions} @> ${JSON.stringify([{ hash: query.search.toLowerCase() }])}::jsonb`,
            matching(query.search, { kind: "swap", id: swaps.id, columns: [] }),
          ),
      within(swaps.id, query),
    );
    const found = await selectSwaps(db).where(page.where(condition)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectSwaps(db).where(condition), { rows, nextCursor });
    return { swaps: rows.map(toSwap), nextCursor, total };
  },
});
