-- Uses a quote up for what it becomes. False: it was used before, or has expired.
create or replace function take_quote(p_account uuid, p_id uuid, p_used_by text) returns boolean language plpgsql as $$
begin
  update quotes q set used_by = p_used_by
  where q.account_id = p_account and q.id = p_id and q.used_by is null and q.expires_at > clock_timestamp();
  return found;
end $$;
