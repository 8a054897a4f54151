import { and, asc, eq, getTableColumns } from "drizzle-orm";
import { z } from "zod";
import { endUsers } from "#db/schema/accounts.ts";
import { positions } from "#db/schema/trading.ts";
import { wallets } from "#db/schema/wallets.ts";
import { log } from "#server/base/log.ts";
import { onceAMinute } from "#server/base/pace.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { type AssetPrice, pricesOf, refreshPrices } from "#server/prices/queries.ts";
import { minus, per, times } from "./amounts.ts";
import { Position } from "./schema.ts";

export const listPositions = operation({
  id: "trading.positions.list",
  method: "GET",
  path: "/trading/positions",
  summary: "List positions",
  description:
    "Lists the quantities that orders have bought and not yet sold, by wallet and symbol, at average cost; all of them, flat ones too. A quantity that came to a wallet in other ways is in its balances only: it has no cost, and selling it realises nothing.",
  scope: "trading:read",
  service: "managed-trading",
  query: z.object({
    walletId: idFilter("wallet").optional().describe("Only positions of this wallet."),
    endUser: endUserFilter("Only positions of"),
  }),
  output: z.object({ positions: z.array(Position) }),

  async handler({ query, caller, db }) {
    const rows = await db
      .select({
        ...getTableColumns(positions),
        projectId: wallets.projectId,
        endUser: endUsers.externalId,
      })
      .from(positions)
      .innerJoin(wallets, and(eq(wallets.accountId, positions.accountId), eq(wallets.id, positions.walletId)))
      .leftJoin(endUsers, and(eq(endUsers.accountId, wallets.accountId), eq(endUsers.id, wallets.endUserId)))
      .where(
        and(
          visible(wallets, caller),
          query.walletId === undefined ? undefined : eq(positions.walletId, query.walletId),
          ofEndUser(wallets.endUserId, caller, query.endUser),
        ),
      )
      .orderBy(asc(positions.walletId), asc(positions.symbol));
    const networks = [...new Set(rows.map(({ network }) => network))];
    const bases = rows.map(({ base }) => base);
    const prices = new Map(
      await Promise.all(networks.map(async (network) => [network, await priced(network, bases)] as const)),
    );
    return { positions: rows.map((row) => toPosition(row, prices.get(row.network)?.get(row.base))) };
  },
});

const isDue = onceAMinute();

/** The newest available prices: a position can be read while its chain is unreachable. */
async function priced(network: string, assets: string[]): Promise<ReadonlyMap<string, AssetPrice>> {
  const { chains, database } = platform();
  const chain = chains.find(network);
  if (chain)
    await refreshPrices(database.db, chain).catch((error) => {
      if (isDue(network)) log.warn("Prices could not be read.", { network, error });
    });
  return pricesOf(database.db, network, assets);
}

interface Row extends Pick<typeof positions.$inferSelect, "walletId" | "symbol" | "quantity" | "cost"> {
  realizedPnl: string;
  updatedAt: Date;
  projectId: string | null;
  endUser: string | null;
}

function toPosition(row: Row, price: AssetPrice | undefined): z.input<typeof Position> {
  const { walletId, symbol, quantity, cost, realizedPnl, updatedAt, projectId, endUser } = row;
  const marketValueUsd = price ? times(quantity, price.spotUsd) : null;
  return {
    walletId,
    symbol,
    quantity,
    averageEntryPrice: per(cost, quantity),
    marketPrice: price?.spotUsd ?? null,
    marketValueUsd,
    unrealizedPnlUsd: marketValueUsd === null ? null : minus(marketValueUsd, cost),
    realizedPnlUsd: realizedPnl,
    asOf: (price?.observedAt ?? updatedAt).toISOString(),
    projectId,
    endUser,
  };
}
