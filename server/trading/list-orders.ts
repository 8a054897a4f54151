import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { orders } from "#db/schema/trading.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { contains, matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectOrders, toOrder } from "./queries.ts";
import { Order } from "./schema.ts";

/** Matches orders that contain the text; each of ended and open ones has an index. */
const containing = (text: string) =>
  anyOf(contains(orders.symbol, text), contains(orders.clientReference, text));

export const listOrders = operation({
  id: "trading.orders.list",
  method: "GET",
  path: "/trading/orders",
  summary: "List orders",
  description: "Lists orders, newest first, including ended ones.",
  scope: "trading:read",
  service: "managed-trading",
  query: CountedPageQuery.extend({
    status: Order.shape.status.optional().describe("Only orders with this status."),
    symbol: z
      .string()
      .max(50)
      .optional()
      .meta({ description: "Only orders of this symbol.", examples: ["ETH-USD"] }),
    walletId: idFilter("wallet").optional().describe("Only orders of this wallet."),
    side: Order.shape.side.optional().describe("Only orders of this side."),
    endUser: endUserFilter("Only orders of"),
    search: searchBy("Only orders whose symbol or `clientReference`"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ orders: z.array(Order), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("order", orders.id, query);
    const condition = allOf(
      visible(orders, caller),
      query.status && eq(orders.status, query.status),
      query.symbol === undefined ? undefined : eq(orders.symbol, query.symbol),
      query.walletId === undefined ? undefined : eq(orders.walletId, query.walletId),
      query.side && eq(orders.side, query.side),
      ofEndUser(orders.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : anyOf(
            and(containing(query.search), isNotNull(orders.endedAt)),
            and(containing(query.search), isNull(orders.endedAt)),
            matching(query.search, { kind: "order", id: orders.id, columns: [] }),
          ),
      within(orders.id, query),
    );
    const found = await selectOrders(db).where(page.where(condition)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectOrders(db).where(condition), { rows, nextCursor });
    return { orders: rows.map(toOrder), nextCursor, total };
  },
});
