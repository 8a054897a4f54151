import { z } from "zod";
import { pageOfList } from "#server/catalogue/page-list.ts";
import { network } from "#server/chains/schema.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery } from "#server/operation/page.ts";
import { platform } from "#server/platform.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { SwapToken } from "./schema.ts";

export const listTokens = operation({
  id: "swaps.tokens.list",
  method: "GET",
  path: "/swaps/tokens",
  summary: "List the assets that can be swapped",
  description: "Lists the assets of each network, the native one first.",
  scope: "wallets:read",
  service: "universal-swaps",
  query: PageQuery.extend({ network: network.optional().describe("Only assets of this chain.") }),
  output: z.object({ tokens: z.array(SwapToken), nextCursor }),

  async handler({ query, db }) {
    const listed = platform().chains.all.flatMap(({ network, tokens }) =>
      tokens.map((token) => ({ network, ...token })),
    );
    const { page, nextCursor } = pageOfList(
      listed,
      ({ network, asset }) => `${network}/${asset}`,
      query,
      (token) => query.network === undefined || token.network === query.network,
    );
    const prices = new Map<string, string>();
    for (const [network, tokens] of Map.groupBy(page, (token) => token.network)) {
      const assets = tokens.map(({ asset }) => asset);
      for (const [asset, { spotUsd }] of await pricesOf(db, network, assets))
        prices.set(`${network}/${asset}`, spotUsd);
    }
    return {
      tokens: page.map(({ network, asset, symbol, name, decimals }) => ({
        network,
        asset,
        symbol,
        name,
        decimals,
        priceUsd: prices.get(`${network}/${asset}`) ?? null,
      })),
      nextCursor,
    };
  },
});
