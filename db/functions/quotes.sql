-- Marks a quote as used by the resource it becomes. False: it was used before, or has expired.
create or replace function take_quote(p_account uuid, p_id uuid, p_used_by text) returns boolean language plpgsql as $$
begin
  update quotes q set used_by = p_used_by
  where q.account_id = p_account and q.id = p_id and q.used_by is null and q.expires_at > clock_timestamp();
  return found;
end $$;

-- Inserts a quote that lives for this many seconds from now.
create or replace function keep_quote(p_row jsonb, p_seconds int) returns void language sql as $$
  insert into quotes (account_id, id, project_id, end_user_id, kind, wallet_id, shown, plan, expires_at)
  select account_id, id, project_id, end_user_id, kind, wallet_id, shown, plan, clock_timestamp() + make_interval(secs => p_seconds)
  from jsonb_populate_record(null::quotes, p_row)
$$;
