-- Accounts that are frozen (`npm run account -- freeze`). Statements over many accounts compare with these arrays, which
-- are read once for each; mostly they are empty.

-- Returns the accounts for which no work is begun.
create or replace function frozen_ids() returns uuid[] language sql stable as $$
  select array(select f.account_id from frozen_accounts f)
$$;

-- Returns the accounts of which no row may change.
create or replace function fenced_ids() returns uuid[] language sql stable as $$
  select array(select f.account_id from frozen_accounts f where f.fenced)
$$;

-- Returns the kinds of an account's work that is still under way.
create or replace function work_under_way(p_account uuid) returns text[] language plpgsql stable as $$
begin
  return array_remove(array[
    case when exists (select from runs r where r.account_id = p_account and r.worker is not null) then 'runs' end,
    case when exists (select from run_ends e where e.account_id = p_account)
      or exists (select from run_announcements a where a.account_id = p_account) then 'ends of runs' end,
    case when exists (select from triggers t where t.account_id = p_account and t.claimed_by is not null) then 'triggers' end,
    case when exists (select from webhook_health h where h.account_id = p_account and h.claimed_by is not null) then 'deliveries' end,
    case when exists (select from wallet_nonces n where n.account_id = p_account and n.lease_until >= clock_timestamp()) then 'sends' end,
    case when exists (select from idempotency_records c
      where c.account_id = p_account and c.state = 'running' and c.lease_until >= clock_timestamp() and process_lives(c.process)) then 'calls' end,
    case when exists (select from audit_pending p where p.account_id = p_account) then 'audit events' end], null);
end $$;
