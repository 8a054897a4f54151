import { ApiError } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { ME, PINNED_PATH, TENANT_PATH } from "./dump/objects.ts";

/** The maximum number of tables in an archive; each is an entry. */
const MAX_TABLES = 9990;

const isOwn = (catalogue: string, schema: string) => `${catalogue} where ${schema} = 'public'::regnamespace`;
const foreignRole = (role: string) =>
  `${role} not in (0, ${ME}) and ${role}::regrole::text not like 'pg\\_%'`;

/** Privileges whose grantor or grantee is a role that another cluster does not have. */
const rightsOf = (what: string, from: string, acl: string) => `
  select format('the rights of %s on %s', case when e.grantor <> ${ME} then e.grantor else e.grantee end::regrole, ${what}) as what
  from ${from}, lateral aclexplode(${acl}) e where e.grantor <> ${ME} or ${foreignRole("e.grantee")}`;

/** Objects that a tenant can create and an archive cannot hold, or that would hide rows from it. */
const UNARCHIVABLE = `
  with own as (select * from pg_class where relnamespace = 'public'::regnamespace)
  select what from (
    select 'the extension ' || e.extname as what from pg_extension e where e.extname <> 'plpgsql'
    union all select 'the base type ' || t.typname from ${isOwn("pg_type t", "t.typnamespace")}
      and (t.typtype = 'p' or t.typtype = 'b' and t.typelem = 0)
    union all select 'the canonical function of range type ' || t.typname from pg_range r join pg_type t on t.oid = r.rngtypid
      where t.typnamespace = 'public'::regnamespace and r.rngcanonical::oid <> 0
    union all select 'the operator class ' || o.opcname from ${isOwn("pg_opclass o", "o.opcnamespace")}
    union all select 'the operator family ' || o.opfname from ${isOwn("pg_opfamily o", "o.opfnamespace")}
    union all select 'the text search parser ' || p.prsname from ${isOwn("pg_ts_parser p", "p.prsnamespace")}
    union all select 'the text search template ' || m.tmplname from ${isOwn("pg_ts_template m", "m.tmplnamespace")}
    union all select 'the cast to ' || format_type(c.casttarget, null) from pg_cast c where c.oid >= 16384 and c.castmethod = 'b'
    union all select 'the schema ' || n.nspname from pg_namespace n where n.nspowner = ${ME}
    union all select 'the language ' || l.lanname from pg_language l where l.lanowner = ${ME}
    union all select 'the publication ' || p.pubname from pg_publication p where p.pubowner = ${ME}
    union all select 'the event trigger ' || t.evtname from pg_event_trigger t where t.evtowner = ${ME}
    union all select 'the foreign server ' || s.srvname from pg_foreign_server s where s.srvowner = ${ME}
    union all select 'the large object ' || l.oid from pg_largeobject_metadata l where l.lomowner = ${ME}
    union all select 'the security label of ' || pg_describe_object(s.classoid, s.objoid, s.objsubid) from pg_seclabel s
    union all select 'the foreign table ' || c.relname from own c where c.relkind = 'f'
    union all select format('the rule %s of %s', r.rulename, c.relname) from own c join pg_rewrite r on r.ev_class = c.oid
      where r.rulename <> '_RETURN'
    union all select 'the FORCE ROW LEVEL SECURITY of table ' || c.relname from own c where c.relforcerowsecurity
    union all select 'the rows of table ' || c.relname || ', which its owner may not read' from own c
      where c.relkind = 'r' and not has_table_privilege(c.oid, 'SELECT')
    union all select 'the value of sequence ' || c.relname || ', which its owner may not read' from own c
      where case c.relkind when 'S' then not has_sequence_privilege(c.oid, 'SELECT') else false end
    union all select 'the partition ' || c.relname || ', which is being detached' from own c join pg_inherits i on i.inhrelid = c.oid
      where i.inhdetachpending
    union all select format('the order of the columns of table %s, whose inherited ones do not come first', c.relname) from own c
      where c.relkind = 'r' and not c.relispartition and exists (select from pg_inherits i where i.inhrelid = c.oid) and (
        select array_agg(name order by place) from (
          select a.attname as name, min(array[i.inhseqno, p.attnum]) as place from pg_inherits i
          join pg_attribute p on p.attrelid = i.inhparent and p.attnum > 0 and not p.attisdropped
          join pg_attribute a on a.attrelid = c.oid and a.attname = p.attname and not a.attisdropped where i.inhrelid = c.oid group by a.attname
          union all
          select a.attname, array[32767, a.attnum] from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attinhcount = 0) columns
      ) is distinct from (
        select array_agg(a.attname order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
    union all select format('the policy %s for %s', p.polname, r::regrole) from pg_policy p, unnest(p.polroles) r where ${foreignRole("r")}
    union all ${rightsOf("c.relname", "own c", "c.relacl")}
    union all ${rightsOf("a.attname", "own c join pg_attribute a on a.attrelid = c.oid", "a.attacl")}
    union all ${rightsOf("p.proname", "pg_proc p", "case when p.pronamespace = 'public'::regnamespace then p.proacl end")}
    union all ${rightsOf("t.typname", "pg_type t", "case when t.typnamespace = 'public'::regnamespace then t.typacl end")}
    union all ${rightsOf("'objects to be created'", "pg_default_acl d", `case when d.defaclrole = ${ME} then d.defaclacl end`)}
    union all select format('more than %s tables, of which it has %s', ${MAX_TABLES}, count(*)) from own c where c.relkind = 'r'
      having count(*) > ${MAX_TABLES}) unarchivable
  order by what limit 1`;

/** Returns the error for a database that has such an object. */
export function unarchivableError(what: string): ApiError {
  return new ApiError("state_conflict", `An archive of the database can't hold ${what}. Remove it first.`);
}

/** Refuses a database if its archive would be incomplete; the error names the object that an archive can't hold. */
export async function refuseUnarchivable({ sql }: TenantSession): Promise<void> {
  await sql.unsafe(PINNED_PATH);
  const [found] = await sql.unsafe<{ what: string }[]>(UNARCHIVABLE);
  await sql.unsafe(TENANT_PATH);
  if (found) throw unarchivableError(found.what);
}
