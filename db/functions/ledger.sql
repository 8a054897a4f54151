-- Locks are taken in one order: hold, day counters (by key and selector), the account's `customer` book, then its
-- counter-book. A transaction that charges once can then not deadlock with another.

-- Posts a balanced transaction: `p_amount` to what the account can spend, its opposite to the book of the source.
-- Answers `posted`; `exists` where the reference was posted before with the same kind and amount, else `differs`;
-- `insufficient` where it would take more than is free.
create or replace function ledger_post(
  p_account uuid, p_id uuid, p_kind text, p_reference text, p_description text, p_amount bigint, p_operation text,
  p_units int, p_price_version text, p_request text, p_project uuid
) returns text language plpgsql as $$
declare
  customer ledger_accounts;
  known text;
  counter bigint;
begin
  insert into ledger_accounts (account_id, book) values (p_account, 'customer'), (p_account, p_kind) on conflict do nothing;
  select * into customer from ledger_accounts a where a.account_id = p_account and a.book = 'customer' for update;
  select case when t.kind = p_kind and e.amount = p_amount then 'exists' else 'differs' end into known
  from ledger_transactions t join ledger_entries e on e.account_id = t.account_id and e.transaction_id = t.id and e.book = 'customer'
  where t.account_id = p_account and t.reference = p_reference;
  if found then return known; end if;
  if customer.posted - customer.held + p_amount < 0 then return 'insufficient'; end if;

  insert into ledger_transactions (account_id, id, kind, reference, description, operation, units, price_version, request_id, project_id, at)
  values (p_account, p_id, p_kind, p_reference, p_description, p_operation, p_units, p_price_version, p_request, p_project, clock_timestamp());
  update ledger_accounts a set posted = a.posted + p_amount where a.account_id = p_account and a.book = 'customer';
  update ledger_accounts a set posted = a.posted - p_amount
  where a.account_id = p_account and a.book = p_kind returning a.posted into counter;
  insert into ledger_entries (account_id, transaction_id, book, amount, balance_after)
  values (p_account, p_id, 'customer', p_amount, customer.posted + p_amount), (p_account, p_id, p_kind, -p_amount, counter);
  return 'posted';
end $$;
