import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { orderFills } from "#db/schema/trading.ts";
import { uuidOf } from "#server/ids.ts";
import { per } from "./amounts.ts";
import type { OrderRow } from "./queries.ts";

/** What a trade has really exchanged, in whole units. */
export interface NewFill {
  transactionId: string;
  transactionHash: string;
  quantity: string;
  /** In USD. */
  value: string;
}

/** Keeps what a trade has exchanged, and what that makes of the wallet's position. The order's row is locked. */
export async function recordFill(tx: Transaction, order: OrderRow, fill: NewFill): Promise<void> {
  const { accountId, id: orderId, walletId, symbol, network, base, side } = order;
  const price = per(fill.value, fill.quantity);
  if (price === null) throw new Error(`Transaction ${fill.transactionId} has moved nothing.`);
  await tx.insert(orderFills).values({ accountId, orderId, ...fill, price, at: sql`clock_timestamp()` });
  const key = [uuidOf("account", accountId), uuidOf("wallet", walletId), symbol, network, base] as const;
  const [account, wallet, ...market] = key;
  const { quantity, value } = fill;
  const row = sql`${account}::uuid, ${wallet}::uuid, ${market[0]}, ${market[1]}, ${market[2]}`;
  if (side === "buy") {
    await tx.execute(sql`
      insert into positions as p
        (account_id, wallet_id, symbol, network, base, quantity, cost, realized_pnl, updated_at)
      values (${row}, ${quantity}, ${value}, 0, clock_timestamp())
      on conflict (account_id, wallet_id, symbol) do update set
        quantity = trim_scale(p.quantity + excluded.quantity), cost = trim_scale(p.cost + excluded.cost),
        updated_at = excluded.updated_at`);
    return;
  }
  // What was not bought by orders has no cost that is known: selling it realises nothing.
  await tx.execute(sql`
    insert into positions as p
      (account_id, wallet_id, symbol, network, base, quantity, cost, realized_pnl, updated_at)
    values (${row}, 0, 0, 0, clock_timestamp())
    on conflict (account_id, wallet_id, symbol) do update set (quantity, cost, realized_pnl, updated_at) = (
      select trim_scale(p.quantity - sold), trim_scale(p.cost - spent),
        trim_scale(p.realized_pnl + round(${value}::numeric * sold / ${quantity}::numeric, 18) - spent),
        excluded.updated_at
      from (select sold, case when sold = p.quantity then p.cost
        else round(p.cost * sold / p.quantity, 18) end as spent
        from (select least(p.quantity, ${quantity}::numeric) as sold) s) t)`);
}
