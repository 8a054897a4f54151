-- Counts an attempt by a target and returns 0, or the seconds it has to wait. Failures are forgotten one by one,
-- every p_forget_seconds; from the p_free-th on, each doubles the wait. The row's lock serialises parallel attempts.
create or replace function take_try(p_subject bytea, p_free int, p_forget_seconds int, p_longest_seconds int)
returns int language plpgsql as $$
declare
  tries sign_in_attempts;
  forgotten int;
begin
  insert into sign_in_attempts (subject, failures, forgotten_until, blocked_until)
  values (p_subject, 0, now(), '-infinity') on conflict do nothing;
  select * into tries from sign_in_attempts where subject = p_subject for update;
  if tries.blocked_until > clock_timestamp() then
    return ceil(extract(epoch from tries.blocked_until - clock_timestamp()));
  end if;
  forgotten := floor(extract(epoch from clock_timestamp() - tries.forgotten_until) / p_forget_seconds);
  tries.failures := greatest(tries.failures - forgotten, 0) + 1;
  update sign_in_attempts set
    failures = tries.failures,
    forgotten_until = case when tries.failures = 1 then clock_timestamp()
      else tries.forgotten_until + make_interval(secs => forgotten * p_forget_seconds) end,
    blocked_until = case when tries.failures < p_free then tries.blocked_until
      else clock_timestamp() + make_interval(secs => least(p_longest_seconds, 2 ^ least(tries.failures - p_free, 20))) end
  where subject = p_subject;
  return 0;
end $$;
