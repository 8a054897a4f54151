-- Inserts a row given as JSON by column names; missing columns get their default. False if another row has one of its
-- unique values.
create or replace function insert_row(p_table regclass, p_row jsonb) returns boolean language plpgsql as $$
declare
  columns text := (select string_agg(quote_ident(name), ', ') from jsonb_object_keys(p_row) name);
  inserted int;
begin
  execute format('insert into %1$s (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $1) on conflict do nothing',
    p_table, columns) using p_row;
  get diagnostics inserted = row_count;
  return inserted > 0;
end $$;
