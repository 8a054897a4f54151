-- Turns a refusal into an error, so that a statement with several calls does all of them or none. Caught by
-- `refusalOf`.
create or replace function refuse_if(p_act text, p_refusal jsonb) returns boolean language plpgsql as $$
begin
  if p_refusal is not null then raise exception using errcode = 'MS001', message = p_act, detail = p_refusal; end if;
  return true;
end $$;

create or replace function refuse_unless(p_act text, p_done boolean) returns boolean language sql as $$
  select refuse_if(p_act, case when p_done then null else '{}'::jsonb end)
$$;
