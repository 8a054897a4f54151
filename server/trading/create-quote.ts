import { z } from "zod";
import { currentMs } from "#server/base/clock.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { freshOf } from "#server/chains/fresh.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { pricesOf, refreshPrices } from "#server/prices/queries.ts";
import type { VenueQuote } from "#server/providers/venue/venue.ts";
import { draftQuote } from "#server/quotes/queries.ts";
import type { QuoteFee } from "#server/quotes/schema.ts";
import { priceOf as chargeOf } from "#server/services/prices.ts";
import { judge, readPolicyState } from "#server/wallets/judge.ts";
import { readWallet } from "#server/wallets/queries.ts";
import { priceOf, times, valueAt, withSlippage } from "./amounts.ts";
import { type Market, marketOf } from "./markets.ts";
import { effectsOf } from "./order-effects.ts";
import { quoteFor } from "./plan-trade.ts";
import { CreateTradingQuote, ORDER_DAYS, type OrderTerms, TradingQuote, termsOf } from "./schema.ts";

const gasPriceOf = freshOf(1000, ({ client }) => client.getGasPrice());

export const createTradingQuote = operation({
  id: "trading.quotes.create",
  method: "POST",
  path: "/trading/quotes",
  summary: "Quote an order",
  description:
    "Returns an order's cost or proceeds now over the best route of at most two pools, and the decision of the wallet's policy. It lives 60 seconds and is executed once. A purchase receives exactly its quantity and costs `maximumCost` at most; a sale brings `minimum` at least.",
  scope: "trading:execute",
  service: "managed-trading",
  idempotent: true,
  external: "reads",
  body: CreateTradingQuote,
  output: z.object({ quote: TradingQuote }),
  status: 201,
  errors: ["not_found", "state_conflict", "service_unavailable"],
  examples: {
    body: {
      walletId: "wal_01jz4w1n9vf5ha3kqcx8y2r7te",
      symbol: "ETH-USD",
      side: "buy",
      type: "market",
      quantity: "1.5",
    },
  },

  async handler({ body, caller, db, commit }) {
    const terms = termsOf(body);
    checkExpiresAt(terms);
    const market = marketOf(terms.symbol);
    const { chain, base, counter } = market;
    const quantity = toUnits(terms.quantity, base.decimals, "body.quantity");
    const { accountId } = caller;
    const fresh = callChain(chain, () => refreshPrices(db, chain));
    const [wallet, state, prices, quote, gasPrice] = await Promise.all([
      readWallet(db, caller, terms.walletId),
      fresh.then(() =>
        readPolicyState(db, { wallet: { accountId, id: terms.walletId }, network: chain.network }),
      ),
      fresh.then(() => pricesOf(db, chain.network, ["native", base.asset, counter.asset])),
      callChain(chain, () => quoteFor(market, terms.side, quantity)),
      callChain(chain, () => gasPriceOf(chain)),
    ]);
    const boundPrice = boundOf(market, terms, quantity, quote);
    const worst = valueAt(market, quantity, boundPrice, terms.side === "buy" ? "down" : "up");
    const order = { side: terms.side, boundPrice };
    const fees = quote ? feesOf(market, quote, gasPrice) : [];
    const { decision, reasons } = judge(state, {
      network: chain.network,
      effects: effectsOf(market, order, quantity),
      fees: fees.filter(({ type }) => type === "network").map(({ amount }) => amount),
    });
    const sale = terms.side === "sell";
    const { quote: drafted, kept } = draftQuote({
      wallet,
      kind: "order",
      input: body,
      expected: sale ? fromUnits(quote?.amountOut ?? worst, counter.decimals) : terms.quantity,
      minimum: sale ? fromUnits(worst, counter.decimals) : terms.quantity,
      fees: fees.map((fee) => ({ ...fee, valueUsd: worth(fee, prices.get(fee.asset)?.spotUsd) })),
      chargedCredits: chargeOf("managed-trading", "trading.orders.create").credits,
      policy: { decision, reasons },
      plan: { ...terms, network: chain.network, base: base.asset, boundPrice },
    });
    const output = {
      quote: {
        ...drafted,
        price: quote && priceOf(market, quantity, sale ? quote.amountOut : quote.amountIn),
        maximumCost: sale ? null : fromUnits(worst, counter.decimals),
      },
    };
    await commit.batch(output, { kept });
    return output;
  },
});

function checkExpiresAt({ expiresAt }: OrderTerms): void {
  if (expiresAt === null) return;
  const seconds = (Date.parse(expiresAt) - currentMs()) / 1000;
  if (seconds <= 0) throw invalid("body.expiresAt", `${expiresAt} has passed. Send a time to come.`);
  if (seconds > ORDER_DAYS * 86_400)
    throw invalid(
      "body.expiresAt",
      `${expiresAt} is more than ${ORDER_DAYS} days ahead. Send an earlier time.`,
    );
}

/** Returns the worst average price of an order. A market order has none before the venue has quoted one. */
function boundOf(market: Market, terms: OrderTerms, quantity: bigint, quote: VenueQuote | null): string {
  if (terms.limitPrice !== null) return terms.limitPrice;
  if (!quote)
    throw new ApiError(
      "state_conflict",
      `The pools can't fill ${terms.quantity} of ${terms.symbol}. Send a smaller quantity.`,
    );
  const bps = terms.slippageBps ?? 0;
  return terms.side === "buy"
    ? priceOf(market, quantity, withSlippage(quote.amountIn, bps, "more"), "up")
    : priceOf(market, quantity, withSlippage(quote.amountOut, bps, "less"), "down");
}

function feesOf(
  { base, counter }: Market,
  quote: VenueQuote,
  gasPrice: bigint,
): Omit<QuoteFee, "valueUsd">[] {
  const paid = quote.from === base.asset ? base : counter;
  return [
    { type: "venue", asset: paid.asset, amount: fromUnits(quote.fee, paid.decimals) },
    { type: "network", asset: "native", amount: fromUnits(quote.gas * gasPrice, 18) },
  ];
}

function worth({ amount }: Omit<QuoteFee, "valueUsd">, priceUsd: string | undefined): string | null {
  return priceUsd === undefined ? null : times(amount, priceUsd);
}
