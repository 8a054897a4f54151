import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { isClone, nameOf, rightsOf, rowOf } from "./describe/expressions.ts";
import { RELATIONS } from "./describe/relations.ts";
import { ME, PINNED_PATH, roleOf, TENANT_PATH } from "./dump/objects.ts";
import { type BoundedReader, readDefinitions } from "./read-definitions.ts";

/**
 * The description of each object of a tenant's database by PostgreSQL's catalogues, by the object's name, without oids.
 */
export type Description = Map<string, string>;

const routines = `
  select ${nameOf("pg_proc", "p.oid")} as name, ${rowOf(
    "p",
    "oid",
    "pronamespace",
    "proowner",
    "prolang",
    "provariadic",
    "prorettype",
    "proargtypes",
    "proallargtypes",
    "protrftypes",
    "proacl",
    "proargdefaults",
    "prosqlbody",
  )} || jsonb_build_object('language', (select lanname from pg_language where oid = p.prolang), 'arguments', pg_get_function_arguments(p.oid),
    'result', pg_get_function_result(p.oid), 'body', pg_get_function_sqlbody(p.oid), 'rights', ${rightsOf("p.proacl", "'f'")}) as facts
  from pg_proc p where p.pronamespace = 'public'::regnamespace`;

const aggregates = `
  select 'parts of ' || ${nameOf("pg_proc", "p.oid")} as name, ${rowOf("a", "aggfnoid", "aggsortop", "aggtranstype", "aggmtranstype")}
    || jsonb_build_object('state', format_type(a.aggtranstype, null), 'moving', format_type(nullif(a.aggmtranstype, 0), null),
      'sorts', nullif(a.aggsortop, 0)::regoperator) as facts
  from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid where p.pronamespace = 'public'::regnamespace`;

const types = `
  select ${nameOf("pg_type", "t.oid")} as name, ${rowOf(
    "t",
    "oid",
    "typnamespace",
    "typowner",
    "typrelid",
    "typelem",
    "typarray",
    "typbasetype",
    "typtypmod",
    "typcollation",
    "typdefault",
    "typdefaultbin",
    "typacl",
  )} || jsonb_build_object('base', format_type(nullif(t.typbasetype, 0), t.typtypmod), 'collation', nullif(t.typcollation, 0)::regcollation,
    'default', pg_get_expr(t.typdefaultbin, 0), 'labels', (select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
    'range', (select jsonb_build_array(format_type(r.rngsubtype, null), o.opcname, nullif(r.rngcollation, 0)::regcollation, r.rngsubdiff,
      format_type(r.rngmultitypid, null)) from pg_range r join pg_opclass o on o.oid = r.rngsubopc where r.rngtypid = t.oid),
    'rights', ${rightsOf("t.typacl", "'T'")}) as facts
  from pg_type t where t.typnamespace = 'public'::regnamespace and t.typelem = 0 and t.typtype <> 'm'`;

const operators = `
  select ${nameOf("pg_operator", "o.oid")} as name, ${rowOf("o", "oid", "oprnamespace", "oprowner", "oprleft", "oprright", "oprresult", "oprcom", "oprnegate")}
    || jsonb_build_object('result', format_type(nullif(o.oprresult, 0), null), 'commutator', nullif(o.oprcom, 0)::regoperator,
      'negator', nullif(o.oprnegate, 0)::regoperator) as facts
  from pg_operator o where o.oprnamespace = 'public'::regnamespace`;

const casts = `
  select ${nameOf("pg_cast", "c.oid")} as name, ${rowOf("c", "oid", "castsource", "casttarget", "castfunc")}
    || jsonb_build_object('function', nullif(c.castfunc, 0)::regprocedure) as facts
  from pg_cast c where c.oid >= 16384`;

const collations = `
  select ${nameOf("pg_collation", "c.oid")} as name, ${rowOf("c", "oid", "collnamespace", "collowner", "collversion")} as facts
  from pg_collation c where c.collnamespace = 'public'::regnamespace`;

const conversions = `
  select ${nameOf("pg_conversion", "c.oid")} as name, ${rowOf("c", "oid", "connamespace", "conowner")} as facts
  from pg_conversion c where c.connamespace = 'public'::regnamespace`;

const dictionaries = `
  select ${nameOf("pg_ts_dict", "d.oid")} as name, ${rowOf("d", "oid", "dictnamespace", "dictowner", "dicttemplate")}
    || jsonb_build_object('template', ${nameOf("pg_ts_template", "d.dicttemplate")}) as facts
  from pg_ts_dict d where d.dictnamespace = 'public'::regnamespace`;

const configurations = `
  select ${nameOf("pg_ts_config", "c.oid")} as name, ${rowOf("c", "oid", "cfgnamespace", "cfgowner", "cfgparser")}
    || jsonb_build_object('parser', ${nameOf("pg_ts_parser", "c.cfgparser")}, 'mappings', (
      select jsonb_agg(jsonb_build_array(m.maptokentype, m.mapdict::regdictionary) order by m.maptokentype, m.mapseqno)
      from pg_ts_config_map m where m.mapcfg = c.oid)) as facts
  from pg_ts_config c where c.cfgnamespace = 'public'::regnamespace`;

const comments = `
  select 'comment on ' || pg_describe_object(d.classoid, d.objoid, d.objsubid) as name, jsonb_build_object('text', d.description) as facts
  from pg_description d where d.objoid >= 16384 and not (d.classoid = 'pg_constraint'::regclass and ${isClone("d.objoid")})`;

const defaultRights = `
  select format('default privileges on "%s" in %s', d.defaclobjtype, coalesce(nullif(d.defaclnamespace, 0)::regnamespace::text, 'every schema')) as name,
    jsonb_build_object('rights', (
      select jsonb_agg(format('%s to %s%s', e.privilege_type, ${roleOf("e.grantee")}, case when e.is_grantable then ' with grant option' else '' end)
        order by e.privilege_type, ${roleOf("e.grantee")}) from aclexplode(d.defaclacl) e)) as facts
  from pg_default_acl d where d.defaclrole = ${ME}`;

const DESCRIPTIONS = [
  ...RELATIONS,
  routines,
  aggregates,
  types,
  operators,
  casts,
  collations,
  conversions,
  dictionaries,
  configurations,
  comments,
  defaultRights,
];

/** Yields the name and facts of everything in the tenant's database except rows and sequence values. */
async function* readCatalogue({ sql }: TenantSession, read: BoundedReader) {
  await sql.unsafe(PINNED_PATH);
  for (const select of DESCRIPTIONS)
    yield* read(`select name, facts::text as definition from (${select}) described`);
  await sql.unsafe(TENANT_PATH);
}

/** Describes everything in the tenant's database except rows and sequence values. */
export async function describeCatalogue(session: TenantSession, read: BoundedReader): Promise<Description> {
  const description: Description = new Map();
  for await (const [name, facts] of readCatalogue(session, read)) description.set(name, facts);
  return description;
}

/** Returns the objects in which the tenant's database differs from a description. */
export async function findDifferences(session: TenantSession, wanted: Description): Promise<string[]> {
  const differing = new Set(wanted.keys());
  const read = (select: string) => readDefinitions(session, select);
  for await (const [name, facts] of readCatalogue(session, read)) {
    if (wanted.get(name) === facts) differing.delete(name);
    else differing.add(name);
  }
  return [...differing].sort();
}
