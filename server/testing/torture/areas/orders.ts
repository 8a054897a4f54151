import { eq } from "drizzle-orm";
import { orderFills, orders as table } from "#db/schema/trading.ts";
import { defined } from "#server/base/defined.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { usdOf } from "#server/testing/payments.ts";
import type { Random } from "#server/testing/random.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const START_USD = 100_000;
const OPEN = ["pending", "open", "partially_filled"];
/** Limit prices that the market never reaches. */
const FAR_BELOW = "1000";
const FAR_ABOVE = "9000";
const FAR = new Map([
  ["buy", FAR_BELOW],
  ["sell", FAR_ABOVE],
]);
/** The maximum of open orders at such a price. */
const MAX_STANDING = 10;
/** The maximum sum of the prices' rounding errors. */
const ROUNDING_USD = 0.01;

/** Market and limit orders: a quote becomes at most one order, and the wallet has the balances that the fills say. */
export const orders = (chain: TestChain): Area => ({
  name: "orders",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const { wallet } = await client.must({
      method: "POST",
      path: "/v1/wallets",
      key,
      headers: { "idempotency-key": marker("wallet") },
      // Network fees are not tested here.
      body: { label: "Orders", policy: { dailyNetworkFeeUsd: "1000000" } },
    });
    await chain.fund(wallet.address, { eth: "100", usd: String(START_USD) });
    const placed: Call[] = [];
    let standing = 0;
    const stands = ({ status, side, limitPrice }: typeof table.$inferSelect) =>
      status === "open" && Number(limitPrice) === Number(FAR.get(side));
    const rowsOf = () => db.select().from(table).where(eq(table.accountId, accountId));

    function termsOf(random: Random) {
      const quantity = `0.00${random.between(1, 9)}`;
      const side = random.pick(["buy", "sell"]);
      const terms = { walletId: wallet.id, symbol: "ETH-USD", side, quantity };
      if (random.chance(0.6)) return { ...terms, type: "market", slippageBps: 500 };
      const isFar = random.chance(0.5);
      const limitPrice = (side === "buy") === isFar ? FAR_BELOW : FAR_ABOVE;
      const timeInForce = isFar && (standing >= MAX_STANDING || random.chance(0.8)) ? "ioc" : "gtc";
      if (isFar && timeInForce === "gtc") standing += 1;
      return { ...terms, type: "limit", limitPrice, timeInForce };
    }

    return {
      async call(random) {
        const name = marker("order");
        const quoted = await client.write(random, `${name}-quote`, {
          method: "POST",
          path: "/v1/trading/quotes",
          key,
          body: termsOf(random),
        });
        if (quoted.outcome !== "answered") return;
        const quoteId = quoted.answer.quote.id;
        const names = random.chance(0.1) ? [name, `${name}-again`] : [name];
        const calls = names.map((clientReference) =>
          client.write(random, clientReference, {
            method: "POST",
            path: "/v1/trading/orders",
            key,
            body: { quoteId, clientReference },
          }),
        );
        placed.push(...(await Promise.all(calls)));
      },

      async pending() {
        const open = (await rowsOf()).filter((row) => OPEN.includes(row.status) && !stands(row));
        return open.length === 0
          ? null
          : `${open.length} orders have not ended; ${open[0]?.id} is ${open[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const fills = await db.select().from(orderFills).where(eq(orderFills.accountId, accountId));
        const sides = new Map(rows.map(({ id, side }) => [id, side === "buy" ? -1 : 1]));
        const change = fills.reduce(
          (sum, { orderId, value }) => sum + defined(sides.get(orderId)) * Number(value),
          0,
        );
        const has = Number(await usdOf(chain, wallet.address)) / 1e6;
        const byQuote = Map.groupBy(rows, ({ quoteId }) => quoteId);
        const twice = [...byQuote].filter(([, those]) => those.length > 1);
        const wrong = rows.filter(
          ({ status, quantity, filledQuantity }) =>
            status === "rejected" || (status === "filled") !== (Number(filledQuantity) === Number(quantity)),
        );
        const { balances } = await client.must({
          method: "GET",
          path: `/v1/wallets/${wallet.id}/balances`,
          key,
        });
        const due = (side: string) =>
          rows
            .filter((row) => stands(row) && row.side === side)
            .reduce(
              (sum, { quantity }) => sum + Number(quantity) * (side === "buy" ? Number(FAR_BELOW) : 1),
              0,
            );
        const reservedOf = (asset: string) =>
          Number(balances.find((one: { asset: string }) => one.asset === asset)?.reserved ?? 0);
        const reserved: [symbol: string, is: number, due: number][] = [
          ["USD", reservedOf(chain.settings.contracts.usd), due("buy")],
          ["ETH", reservedOf("native"), due("sell")],
        ];
        return [
          ...checkMadeOnce(
            placed,
            rows.map(({ clientReference, id }) => ({ marker: clientReference ?? "", id })),
            ({ answer }) => answer.order.id,
          ),
          ...twice.map(([quoteId]) => `The quote ${quoteId} became several orders.`),
          ...wrong.map(
            ({ id, status, filledQuantity, quantity, failure }) =>
              `The order ${id} is ${status}, with ${filledQuantity} of ${quantity}: ${JSON.stringify(failure)}.`,
          ),
          ...reserved
            .filter(([, is, due]) => Math.abs(is - due) > ROUNDING_USD)
            .map(([symbol, is, due]) => `${is} ${symbol} are reserved; the orders that stand need ${due}.`),
          ...(Math.abs(START_USD + change - has) <= ROUNDING_USD
            ? []
            : [`The orders' wallet has ${has} USD; by its fills it has ${START_USD + change}.`]),
        ];
      },
    };
  },
});
