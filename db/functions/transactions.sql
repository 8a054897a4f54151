-- Has somebody look after what a wallet sends on a chain, as soon as this is committed.
create or replace function make_due(p_account uuid, p_wallet uuid, p_network text, p_address text) returns void language sql as $$
  insert into wallet_nonces (account_id, wallet_id, network, address, due_at)
  values (p_account, p_wallet, p_network, p_address, clock_timestamp())
  on conflict (account_id, wallet_id, network) do update set due_at = excluded.due_at
$$;

-- Writes down what a wallet is to send: a row of wallet_transactions. False where another has its reference.
create or replace function enqueue_outgoing(p_row jsonb) returns boolean language plpgsql as $$
declare
  t wallet_transactions := jsonb_populate_record(null::wallet_transactions, p_row);
begin
  insert into wallet_transactions (account_id, id, project_id, end_user_id, wallet_id, network, direction, status, "from", "to", asset,
    amount, data, call_to, call_value, call_data, gas, quote_id, client_reference, approval_id, source_type, source_id, caller_type,
    caller_id, key_ids, request_id, held_credits, expires_at)
  values (t.account_id, t.id, t.project_id, t.end_user_id, t.wallet_id, t.network, 'out', t.status, t."from", t."to", t.asset,
    t.amount, t.data, t.call_to, t.call_value, t.call_data, t.gas, t.quote_id, t.client_reference, t.approval_id, t.source_type, t.source_id,
    t.caller_type, t.caller_id, t.key_ids, t.request_id, t.held_credits, t.expires_at)
  on conflict (account_id, wallet_id, client_reference) where client_reference is not null do nothing;
  if not found then return false; end if;
  if t.status = 'reserved' then perform make_due(t.account_id, t.wallet_id, t.network, t."from"); end if;
  return true;
end $$;
