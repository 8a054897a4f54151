import { and, eq } from "drizzle-orm";
import { parseUnits } from "viem";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { selectorsOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { takeQuote } from "#server/quotes/queries.ts";
import { PRICE_VERSION, priceOf } from "#server/services/prices.ts";
import { reserveCap } from "#server/wallets/caps.ts";
import { askForApproval } from "#server/wallets/executions/execution.ts";
import { type Balances, reserveFunds, withBalances } from "#server/wallets/funds.ts";
import { readFacts } from "#server/wallets/judge.ts";
import { lockWallet, readWallet } from "#server/wallets/queries.ts";
import { approvalPayload, judgeOrder, orderExecution } from "./execution.ts";
import { insertOrder, type OrderPlan } from "./insert-order.ts";
import { addAdvanceJob } from "./jobs.ts";
import { marketFor } from "./markets.ts";
import { announceOrder } from "./move-order.ts";
import { costOf } from "./order-effects.ts";
import { CreateOrder, ORDER_DAYS, Order } from "./schema.ts";

/** What is held outlives the longest wait, for people and for a price. */
const HOLD_SECONDS = (ORDER_DAYS + 8) * 86_400;

export const createOrder = operation({
  id: "trading.orders.create",
  method: "POST",
  path: "/trading/orders",
  summary: "Execute a quoted order",
  description:
    "Executes a quote once. The policy is judged again now; where it asks for an approval, the order waits for that and is judged once more. What the order may cost is reserved until it ends. Its credits are held now and charged with its first trade; an order without one costs nothing. It outlives the key that places it: cancel what a revoked key has left standing.",
  scope: "trading:execute",
  service: "managed-trading",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  body: CreateOrder,
  output: z.object({ order: Order }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "already_exists",
    "insufficient_credits",
    "service_unavailable",
  ],

  async handler({ body, caller, request, db, commit }) {
    const { quoteId, clientReference = null } = body;
    const quoted = await readQuote(db, caller, quoteId);
    const plan = quoted.plan as OrderPlan;
    const market = marketFor(plan);
    if (!market) throw new ApiError("service_unavailable", `${plan.symbol} is not traded any more (CHAINS).`);
    const wallet = await readWallet(db, caller, quoted.walletId);
    const quantity = parseUnits(plan.quantity, market.base.decimals);
    const cost = costOf(market, plan, quantity);
    const { chain } = market;
    const spends = [{ asset: cost.asset, amount: fromUnits(cost.amount, cost.decimals), fee: "0" }];
    const carryOut = (balances: Balances) =>
      commit(async (tx) => {
        const id = newId("order");
        await takeQuote(tx, { caller, quoteId, kind: "order", usedBy: id });
        await lockWallet(tx, wallet);
        const facts = await readFacts(tx, { wallet, network: plan.network });
        const judged = judgeOrder(facts, market, plan, quantity);
        const { decision, reasons, valueUsd } = judged;
        if (decision === "deny") throw new ApiError("policy_denied", reasons.join(" "));
        await reserveCap(tx, { wallet, subject: id, valueUsd });
        const owner = { type: "order", id } as const;
        await reserveFunds(tx, { wallet, network: plan.network, owner, spends, balances, strict: true });
        const payload = approvalPayload({ ...plan, walletId: wallet.id });
        const ask = { caller, wallet, id, judged, payload };
        const approvalId = decision === "approval" ? await askForApproval(tx, orderExecution, ask) : null;
        const { credits } = priceOf("managed-trading", "trading.orders.create");
        const row = await insertOrder(tx, {
          id,
          quoteId,
          clientReference,
          approvalId,
          wallet,
          market,
          plan,
          caller,
          requestId: request.id,
          heldCredits: credits,
        });
        if (!approvalId) await addAdvanceJob(tx, row);
        const order = await announceOrder(tx, row);
        // The account's book comes last: it stays locked until the commit.
        await holdCredits(
          tx,
          uuidOf("order", id) as string,
          {
            caller,
            credits,
            selectors: selectorsOf(createOrder, {}),
            requestId: request.id,
            description: "Order",
            priceVersion: PRICE_VERSION,
          },
          HOLD_SECONDS,
        );
        return { order };
      });
    const { address } = wallet;
    return withBalances(db, { kind: "order", chain, address, spends, known: undefined }, carryOut);
  },
});

async function readQuote(db: Db, caller: Caller, quoteId: string) {
  const mine = and(visible(quotes, caller), eq(quotes.id, quoteId), eq(quotes.kind, "order"));
  const [row] = uuidOf("quote", quoteId) === null ? [] : await db.select().from(quotes).where(mine);
  if (!row) throw notFound("quote", quoteId);
  return row;
}
