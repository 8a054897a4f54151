-- Durations are counted in a histogram: exact below 16 ms, then eight buckets per doubling, so that a percentile is
-- off by at most 6.25 %. Element n + 1 of the array counts bucket n.
create or replace function duration_bucket(p_ms int) returns int language sql immutable parallel safe as $$
  -- Adding a half keeps the logarithm of a power of two from being rounded below it.
  select case when p_ms < 16 then greatest(p_ms, 0)
    else ((floor(ln(p_ms + 0.5::float8) / ln(2::float8))::int - 3) << 3) + (p_ms >> (floor(ln(p_ms + 0.5::float8) / ln(2::float8))::int - 3)) end
$$;

create or replace function count_duration(p_histogram int[], p_ms int) returns int[] language plpgsql immutable parallel safe as $$
declare
  place int := duration_bucket(p_ms) + 1;
  missing int := place - cardinality(p_histogram);
begin
  if missing > 0 then p_histogram := p_histogram || array_fill(0, array[missing]); end if;
  p_histogram[place] := p_histogram[place] + 1;
  return p_histogram;
end $$;

create or replace function add_histograms(p_histogram int[], p_other int[]) returns int[] language plpgsql immutable parallel safe as $$
declare
  missing int := cardinality(p_other) - cardinality(p_histogram);
begin
  if missing > 0 then p_histogram := p_histogram || array_fill(0, array[missing]); end if;
  for place in 1..cardinality(p_other) loop
    if p_other[place] > 0 then p_histogram[place] := p_histogram[place] + p_other[place]; end if;
  end loop;
  return p_histogram;
end $$;

create or replace aggregate duration_histogram(int) (sfunc = count_duration, stype = int[], initcond = '{}');

-- Returns the middle of a bucket in milliseconds.
create or replace function bucket_ms(p_bucket int) returns int language sql immutable parallel safe as $$
  select case when p_bucket < 16 then p_bucket
    else ((p_bucket - (((p_bucket >> 3) - 1) << 3)) << ((p_bucket >> 3) - 1)) + ((1 << ((p_bucket >> 3) - 1)) - 1) / 2 end
$$;
