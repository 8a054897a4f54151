-- Adds a fill to its wallet's position, at average cost. A quantity that was not bought by orders has no known cost, so
-- selling it realises nothing.
create or replace function add_to_position(
  p_account uuid, p_wallet uuid, p_symbol text, p_network text, p_base text, p_side text, p_quantity numeric, p_value numeric
) returns void language sql as $$
  insert into positions as p (account_id, wallet_id, symbol, network, base, quantity, cost, realized_pnl, updated_at)
  select p_account, p_wallet, p_symbol, p_network, p_base, bought.quantity, bought.cost, 0, clock_timestamp()
  from (select p_quantity as quantity, p_value as cost where p_side = 'buy'
    union all select 0, 0 where p_side = 'sell') bought
  on conflict (account_id, wallet_id, symbol) do update set (quantity, cost, realized_pnl, updated_at) = (
    select trim_scale(p.quantity + excluded.quantity - sold), trim_scale(p.cost + excluded.cost - spent),
      trim_scale(p.realized_pnl + case when sold = 0 then 0 else round(p_value * sold / p_quantity, 18) - spent end),
      excluded.updated_at
    from (select sold, case when sold = p.quantity then p.cost
        else round(p.cost * sold / nullif(p.quantity, 0), 18) end as spent
      from (select case p_side when 'sell' then least(p.quantity, p_quantity) else 0 end as sold) s) t)
$$;

-- Recomputes a position from its fills after a reorganisation removed one. Concurrent additions wait.
create or replace function recount_position(p_account uuid, p_wallet uuid, p_symbol text) returns void language plpgsql as $$
declare fill record;
begin
  update positions set quantity = 0, cost = 0, realized_pnl = 0, updated_at = clock_timestamp()
  where account_id = p_account and wallet_id = p_wallet and symbol = p_symbol;
  for fill in
    select o.network, o.base, o.side, f.quantity, f.value from orders o
    join order_fills f on f.account_id = o.account_id and f.order_id = o.id
    where o.account_id = p_account and o.wallet_id = p_wallet and o.symbol = p_symbol and f.quantity > 0
    order by f.at, f.transaction_id
  loop
    perform add_to_position(p_account, p_wallet, p_symbol, fill.network, fill.base, fill.side, fill.quantity, fill.value);
  end loop;
end $$;
