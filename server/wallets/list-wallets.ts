import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { contains, nextCursor, PageQuery, pageOf, searchBy } from "#server/operation/page.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectWallets, toWallet } from "./queries.ts";
import { Wallet } from "./schema.ts";

export const listWallets = operation({
  id: "wallets.list",
  method: "GET",
  path: "/wallets",
  summary: "List wallets",
  description: "Newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  query: PageQuery.extend({
    search: searchBy("Only wallets whose label"),
    projectId: idFilter("project").optional().describe("Only wallets of this project."),
  }),
  output: z.object({ wallets: z.array(Wallet), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("wallet", wallets.id, query);
    const found = await selectWallets(db)
      .where(
        page.where(
          allOf(
            visible(wallets, caller),
            query.search ? contains(wallets.label, query.search) : undefined,
            query.projectId ? eq(wallets.projectId, query.projectId) : undefined,
          ),
        ),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { wallets: rows.map(toWallet), nextCursor };
  },
});
