import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { ADDRESS, matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectWallets, toWallet } from "./queries.ts";
import { Wallet } from "./schema.ts";

export const listWallets = operation({
  id: "wallets.list",
  method: "GET",
  path: "/wallets",
  summary: "List wallets",
  description: "Lists wallets, newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  query: CountedPageQuery.extend({
    status: Wallet.shape.status.optional().describe("Only wallets with this status."),
    projectId: idFilter("project").optional().describe("Only wallets of this project."),
    endUser: endUserFilter("Only wallets of"),
    search: searchBy("Only wallets whose label or address"),
    ...PeriodQuery.shape,
    sort: sortBy(["label"]),
  }),
  output: z.object({ wallets: z.array(Wallet), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("wallet", wallets.id, query, { sorts: { label: wallets.label } });
    const condition = allOf(
      visible(wallets, caller),
      query.status && eq(wallets.status, query.status),
      query.projectId === undefined ? undefined : eq(wallets.projectId, query.projectId),
      ofEndUser(wallets.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "wallet",
            id: wallets.id,
            columns: [wallets.label],
            plain: { columns: [wallets.address], made: ADDRESS },
          }),
      within(wallets.id, query),
    );
    const found = await selectWallets(db).where(page.where(condition)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectWallets(db).where(condition), { rows, nextCursor });
    return { wallets: rows.map(toWallet), nextCursor, total };
  },
});
