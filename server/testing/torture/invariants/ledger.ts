import { sql } from "drizzle-orm";
import type { Installation } from "../installation.ts";

interface Fault extends Record<string, unknown> {
  fault: string;
}

/** Checks that ledger entries sum to zero, balances equal the sum of their entries, and every hold has an owner. */
export async function checkLedger({ database }: Pick<Installation, "database">): Promise<string[]> {
  const rows = await database.db.execute<Fault>(sql`
    select format('The entries of %s sum to %s.', transaction_id, sum(amount)) as fault
    from ledger_entries group by account_id, transaction_id having sum(amount) <> 0
    union all
    select format('The book %s of %s says %s; its entries sum to %s.', a.book, a.account_id, a.posted, coalesce(sum(e.amount), 0))
    from ledger_accounts a left join ledger_entries e on (e.account_id, e.book) = (a.account_id, a.book)
    group by a.account_id, a.book, a.posted having a.posted <> coalesce(sum(e.amount), 0)
    union all
    select format('The book %s of %s holds %s; its open holds sum to %s.', a.book, a.account_id, a.held, coalesce(sum(h.amount), 0))
    from ledger_accounts a left join ledger_holds h on h.account_id = a.account_id and h.state = 'open' and a.book = 'customer'
    group by a.account_id, a.book, a.held having a.held <> coalesce(sum(h.amount), 0)
    union all
    select format('The account %s has spent more than it had: %s.', account_id, posted)
    from ledger_accounts where book = 'customer' and posted - held < 0
    union all
    select format('The hold %s of %s credits (%s) is open, and nothing is under way.', h.id, h.amount, h.description)
    from ledger_holds h left join service_calls c on (c.account_id, c.hold_id) = (h.account_id, h.id)
    where h.state = 'open' and c.id is null
      and not exists (select from orders o where o.account_id = h.account_id and o.id = h.id and o.ended_at is null)
    union all
    select format('The key %s counts %s credits of the day for %s; its holds sum to %s.', d.key_id, d.used, d.selector, coalesce(sum(h.captured), 0))
    from key_days d left join ledger_holds h
      on h.account_id = d.account_id and d.key_id = any(h.key_ids) and h.day = d.day and h.state = 'captured'
        and (d.selector = '*' or d.selector = any(h.selectors))
    where not exists (
      select from ledger_transactions t where t.account_id = d.account_id and t.kind = 'usage' and t.reference not like 'hold:%')
    group by d.account_id, d.key_id, d.selector, d.day, d.used having d.used <> coalesce(sum(h.captured), 0)`);
  return [...rows].map(({ fault }) => fault);
}
