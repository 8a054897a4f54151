import { z } from "zod";
import { decimalAmount, positiveAmount } from "#server/chains/schema.ts";
import { exampleId, instant, sentId, sentInstant, typeId } from "#server/operation/fields.ts";
import { Quote } from "#server/quotes/schema.ts";
import { approvalId, endedAt, failure, ofWallet } from "#server/wallets/schema.ts";
import { ORDER_STATUSES, SIDES } from "./statuses.ts";

const ORDER_TYPES = ["market", "limit"] as const;
const TIMES_IN_FORCE = ["gtc", "ioc", "fok", "gtd"] as const;

/** The lifetime in days of an order that names no end. */
export const ORDER_DAYS = 90;
const DEFAULT_SLIPPAGE_BPS = 50;

const amount = z.string().meta({ description: "A decimal string.", examples: ["1.5"] });
export const symbol = z
  .string()
  .max(50)
  .meta({ description: "The trading pair, base asset first, e.g. `ETH-USD`.", examples: ["ETH-USD"] });
const side = z
  .enum(SIDES)
  .meta({ id: "OrderSide", description: "Whether the base asset is bought or sold." });
const type = z.enum(ORDER_TYPES).meta({
  id: "OrderType",
  description: "`market`: at the current price, within the slippage. `limit`: at `limitPrice` or better.",
});
const timeInForce = z.enum(TIMES_IN_FORCE).meta({
  id: "TimeInForce",
  description: `\`gtc\`: until it is filled, at most ${ORDER_DAYS} days. \`gtd\`: until \`expiresAt\`. \`ioc\`: the part that can be filled at once. \`fok\`: all of it at once, or nothing.`,
});
const clientReference = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: "Your own id of the order, unique among the wallet's orders.",
    examples: ["rebalance-7"],
  });

const OrderFields = z.strictObject({
  walletId: sentId("wallet").describe("The wallet that pays and receives."),
  symbol,
  side,
  type,
  quantity: positiveAmount.describe("The amount of the base asset, in whole units."),
  limitPrice: positiveAmount
    .optional()
    .describe("The worst average price, in USD per unit. Required for limit orders, not allowed for others."),
  timeInForce: timeInForce.optional().describe("By default `gtc` for limit orders, `ioc` for market orders."),
  expiresAt: sentInstant.optional().describe("When a `gtd` order ends; not allowed for others."),
  slippageBps: z
    .int()
    .min(0)
    .max(5000)
    .optional()
    .describe(
      `The maximum slippage of a market order, in basis points (1/100 percent); ${DEFAULT_SLIPPAGE_BPS} by default.`,
    ),
});

type Terms = z.output<typeof OrderFields>;

/** Yields contradictory fields with their messages. */
function* faultsOf(terms: Terms): Generator<[field: keyof Terms, message: string]> {
  const { type, limitPrice, timeInForce, expiresAt, slippageBps } = terms;
  if (type === "limit" && limitPrice === undefined) yield ["limitPrice", "A limit order needs a limitPrice."];
  if (type === "market" && limitPrice !== undefined)
    yield ["limitPrice", "A market order has no limitPrice. Leave it out, or send type limit."];
  if (type === "limit" && slippageBps !== undefined)
    yield ["slippageBps", "A limit order has no slippage: its limitPrice stands. Leave slippageBps out."];
  if (timeInForce === "gtd" && expiresAt === undefined)
    yield ["expiresAt", "A gtd order needs an expiresAt."];
  if (timeInForce !== "gtd" && expiresAt !== undefined)
    yield ["expiresAt", "Only a gtd order has an expiresAt. Leave it out, or send timeInForce gtd."];
}

export const CreateTradingQuote = OrderFields.check(({ value, issues }) => {
  for (const [field, message] of faultsOf(value))
    issues.push({ code: "custom", path: [field], message, input: value[field] });
});

/** Returns the terms of an order with its defaults filled in. */
export function termsOf(sent: z.output<typeof CreateTradingQuote>) {
  const { type, timeInForce, slippageBps, limitPrice = null, expiresAt = null } = sent;
  return {
    ...sent,
    limitPrice,
    expiresAt,
    timeInForce: timeInForce ?? (type === "limit" ? ("gtc" as const) : ("ioc" as const)),
    slippageBps: type === "market" ? (slippageBps ?? DEFAULT_SLIPPAGE_BPS) : null,
  };
}

export type OrderTerms = ReturnType<typeof termsOf>;

export const TradingQuote = Quote.extend({
  price: decimalAmount
    .nullable()
    .describe(
      "The average price at the venue now, in USD per unit; null if a limit order can't be filled now.",
    ),
  maximumCost: decimalAmount.nullable().describe("The maximum cost of a purchase, in USD; null for a sale."),
}).meta({
  id: "TradingQuote",
  description: "The expected result of an order. A quote lives 60 seconds.",
  examples: [
    {
      id: exampleId("quote"),
      kind: "order",
      walletId: exampleId("wallet"),
      input: {
        walletId: exampleId("wallet"),
        symbol: "ETH-USD",
        side: "sell",
        type: "market",
        quantity: "1.5",
      },
      expected: "4497.07",
      minimum: "4474.58",
      fees: [
        { type: "venue", asset: "native", amount: "0.00075", valueUsd: "2.25" },
        { type: "network", asset: "native", amount: "0.00031", valueUsd: "0.93" },
      ],
      chargedCredits: 5,
      policy: { decision: "allow", reasons: [] },
      projectId: null,
      endUser: null,
      expiresAt: "2027-01-31T12:01:00.000Z",
      createdAt: "2027-01-31T12:00:00.000Z",
      price: "2998.05",
      maximumCost: null,
    },
  ],
});

export type TradingQuote = z.output<typeof TradingQuote>;

export const CreateOrder = z.strictObject({
  quoteId: sentId("quote").describe("The quote to execute, of `POST /trading/quotes`."),
  clientReference: clientReference.optional(),
});

const Fill = z
  .object({
    price: amount.describe("The executed price per unit in USD, with the venue's fees."),
    quantity: amount.describe("The executed quantity of the base asset, in whole units."),
    at: instant.describe("When the platform recorded the fill."),
    transactionHash: z.string().describe("The hash of the transaction."),
  })
  .meta({ id: "OrderFill", description: "A trade on the chain that filled an order, or a part of it." });

export const Order = z
  .object({
    id: typeId("order"),
    quoteId: typeId("quote").describe("The quote that the order executes."),
    clientReference: z
      .string()
      .nullable()
      .describe("Your own id of the order, unique among the wallet's orders; null if none."),
    walletId: typeId("wallet").describe("The wallet that pays and receives."),
    network: z.string().describe("The CAIP-2 id of the chain that it trades on."),
    symbol,
    side,
    type,
    quantity: amount.describe("The amount of the base asset, in whole units."),
    limitPrice: amount.nullable().describe("The worst average price of a limit order."),
    timeInForce,
    status: z.enum(ORDER_STATUSES).meta({
      id: "OrderStatus",
      description:
        "`pending` (to be executed at once) or `open` (waits for its price), after `awaiting_approval` if the policy requires an approval; `partially_filled`; then `filled`, `cancelled`, `expired` or `rejected`. A fill that a reorganisation removes is gone until it is mined again; meanwhile the order is open.",
    }),
    filledQuantity: amount.describe("The filled part of the quantity."),
    averagePrice: amount.nullable().describe("The average price of the fills; null without any."),
    fees: z
      .array(
        z.object({
          type: z
            .string()
            .describe("`venue` fees are included in the price; `network` fees were paid in addition."),
          asset: z.string().describe("`native`, or the token's address."),
          amount,
        }),
      )
      .describe("The fees of the order's fills."),
    fills: z.array(Fill).describe("The trades that filled it, the oldest first."),
    failure,
    approvalId,
    chargedCredits: z.int().describe("The charged credits; 0 before the first trade."),
    ...ofWallet,
    createdAt: instant,
    updatedAt: instant,
    expiresAt: instant
      .nullable()
      .describe("When the order ends; null for an order that is executed at once."),
    endedAt,
  })
  .meta({
    id: "Order",
    description: "An order to buy or sell from a wallet.",
    examples: [
      {
        id: exampleId("order"),
        quoteId: exampleId("quote"),
        clientReference: "rebalance-7",
        walletId: exampleId("wallet"),
        network: "eip155:31337",
        symbol: "ETH-USD",
        side: "buy",
        type: "limit",
        quantity: "1.5",
        limitPrice: "3010",
        timeInForce: "gtc",
        status: "filled",
        filledQuantity: "1.5",
        averagePrice: "3009.2",
        fees: [{ type: "network", asset: "native", amount: "0.00016" }],
        fills: [
          {
            price: "3009.2",
            quantity: "1.5",
            at: "2027-01-31T12:00:02.000Z",
            transactionHash: "0x5f2a6b1c9d3e4f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
          },
        ],
        failure: null,
        approvalId: null,
        chargedCredits: 5,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:02.000Z",
        expiresAt: "2027-05-01T12:00:00.000Z",
        endedAt: "2027-01-31T12:00:02.000Z",
      },
    ],
  });

export type Order = z.output<typeof Order>;

export const OrderParams = z.object({ orderId: typeId("order") });

export const Position = z
  .object({
    walletId: typeId("wallet"),
    symbol,
    quantity: amount.describe(
      "The quantity that orders bought and have not sold, in whole units of the base asset.",
    ),
    averageEntryPrice: amount
      .nullable()
      .describe("The average cost per unit, in USD; null for an empty position."),
    marketPrice: amount
      .nullable()
      .describe("The current price per unit, in USD; null without a reliable price."),
    marketValueUsd: amount
      .nullable()
      .describe("The position's current value in USD; null without a reliable price."),
    unrealizedPnlUsd: amount
      .nullable()
      .describe("The current value minus the cost, in USD; null without a reliable price."),
    realizedPnlUsd: amount.describe("The proceeds of sales minus the cost of the sold quantity, in USD."),
    asOf: instant.describe("When the market price was read."),
    ...ofWallet,
  })
  .meta({
    id: "Position",
    description:
      "A wallet's holding from its orders, at average cost. A position that was sold completely stays in the list.",
    examples: [
      {
        walletId: exampleId("wallet"),
        symbol: "ETH-USD",
        quantity: "1.5",
        averageEntryPrice: "3009.2",
        marketPrice: "3050",
        marketValueUsd: "4575",
        unrealizedPnlUsd: "61.2",
        realizedPnlUsd: "0",
        asOf: "2027-01-31T12:05:00.000Z",
        projectId: null,
        endUser: null,
      },
    ],
  });

export type Position = z.output<typeof Position>;
