import { ApiError } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";

/** What a tenant can make and `dump-schema.ts` does not write, and what would hide rows from it. */
const UNHELD = `
  with own as (select * from pg_class where relnamespace = 'public'::regnamespace)
  select what from (
    select 'the aggregate or window function ' || p.oid::regprocedure as what from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind in ('a', 'w')
    union all select 'the range type ' || t.typname from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'r'
    union all select 'the operator ' || o.oid::regoperator from pg_operator o where o.oprnamespace = 'public'::regnamespace
    union all select 'the operator class ' || o.opcname from pg_opclass o where o.opcnamespace = 'public'::regnamespace
    union all select 'the cast to ' || format_type(c.casttarget, null) from pg_cast c join pg_type t on t.oid = c.casttarget
    where c.oid >= 16384 and t.typtype <> 'm'
    union all select 'the collation ' || c.collname from pg_collation c where c.collnamespace = 'public'::regnamespace
    union all select 'the text search configuration ' || c.cfgname from pg_ts_config c where c.cfgnamespace = 'public'::regnamespace
    union all select 'the text search dictionary ' || d.dictname from pg_ts_dict d where d.dictnamespace = 'public'::regnamespace
    union all select 'the statistics ' || s.stxname from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace
    union all select 'the extension ' || e.extname from pg_extension e where e.extname <> 'plpgsql'
    union all select 'the inheritance of table ' || c.relname from own c join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and not c.relispartition
    union all select format('the rule %s of %s', r.rulename, c.relname) from own c join pg_rewrite r on r.ev_class = c.oid
    where r.rulename <> '_RETURN'
    union all select 'the FORCE ROW LEVEL SECURITY of table ' || c.relname from own c where c.relforcerowsecurity) unheld
  order by what limit 1`;

/** Refuses where an archive would leave something out: what it can't hold is told, never lost. */
export async function refuseUnheld({ sql }: TenantSession): Promise<void> {
  // Nothing that the tenant has made, an operator say, stands before PostgreSQL's own.
  await sql.unsafe("set local search_path = pg_catalog");
  const [found] = await sql.unsafe<{ what: string }[]>(UNHELD);
  await sql.unsafe("set local search_path = public");
  if (found)
    throw new ApiError(
      "state_conflict",
      `An archive of the database can't hold ${found.what}. Remove it first.`,
    );
}
