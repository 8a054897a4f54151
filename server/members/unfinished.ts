import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { toUuid } from "#server/base/ids.ts";

/** Returns the work that has to end before an account can be deleted, by kind. */
export async function listUnfinished(db: Db | Transaction, accountId: string): Promise<string[]> {
  const account = toUuid("account", accountId);
  const [row] = await db.execute<{ kinds: string[] }>(sql`
    select array_remove(array[
      case when exists (select from tenant_databases d where d.account_id = ${account}) then 'a managed database' end,
      case when exists (select from runs r where r.account_id = ${account} and r.finished_at is null) then 'runs' end,
      case when exists (select from wallet_transactions t where t.account_id = ${account} and t.direction = 'out'
        and t.status in ('awaiting_approval', 'reserved', 'signed', 'broadcast')) then 'sends' end,
      case when exists (select from swaps s where s.account_id = ${account} and s.ended_at is null)
        or exists (select from swap_routes r where r.account_id = ${account} and r.swap_id is not null
          and r.source_transaction_hash is not null and r.ended_at is null) then 'swaps' end,
      case when exists (select from orders o where o.account_id = ${account} and o.ended_at is null) then 'orders' end,
      case when exists (select from payments p where p.account_id = ${account} and p.state = 'settling') then 'a payment' end,
      case when exists (select from ledger_holds h where h.account_id = ${account} and h.state = 'open') then 'reserved credits' end],
      null) as kinds`);
  return row?.kinds ?? [];
}
