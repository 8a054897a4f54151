import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { ME, PINNED_PATH, roleOf, TENANT_PATH } from "./dump/objects.ts";
import { isChanged } from "./dump/properties.ts";

/** What PostgreSQL's catalogues say of each thing in a tenant's database, by its name, without oids. */
export type Description = Map<string, string>;

const nameOf = (catalogue: string, oid: string, column = "0") =>
  `pg_describe_object('${catalogue}'::regclass, ${oid}, ${column})`;

/** The row itself, so that what PostgreSQL adds to it is compared too, without the columns that say so elsewhere or not at all. */
const rowOf = (row: string, ...without: string[]) =>
  `to_jsonb(${row}) - array[${without.map((name) => `'${name}'`)}]`;

const rightsOf = (acl: string, kind: string) => `case when ${isChanged(acl, kind)} then (
  select coalesce(jsonb_agg(format('%s to %s by %s%s', e.privilege_type, ${roleOf("e.grantee")}, ${roleOf("e.grantor")},
    case when e.is_grantable then ' with grant option' else '' end) order by e.privilege_type, ${roleOf("e.grantee")}), '[]') from aclexplode(${acl}) e) end`;

const sorted = (list: string) => `(select jsonb_agg(o order by o) from unnest(${list}) o)`;
const isOwnRelation = "c.relnamespace = 'public'::regnamespace";
/** What a foreign key has for each partition of the table that it refers to is made and named by PostgreSQL. */
const isClone = (constraint: string) =>
  `exists (select from pg_constraint clone join pg_constraint parent on parent.oid = clone.conparentid and parent.conrelid = clone.conrelid
    where clone.oid = ${constraint} and clone.contype = 'f')`;

const relations = `
  select ${nameOf("pg_class", "c.oid")} as name, ${rowOf(
    "c",
    ...[
      "oid",
      "relname",
      "relnamespace",
      "reltype",
      "reloftype",
      "relowner",
      "relam",
      "relfilenode",
      "relpages",
      "reltuples",
      "relallvisible",
    ],
    ...[
      "relallfrozen",
      "reltoastrelid",
      "relfrozenxid",
      "relminmxid",
      "relacl",
      "relpartbound",
      "relrewrite",
      "reloptions",
      "relnatts",
    ],
    // Hints, which may still say yes when the last one is gone.
    ...["relhasindex", "relhasrules", "relhastriggers", "relhassubclass"],
    // Said below.
    "relispopulated",
  )} || jsonb_build_object('type', format_type(nullif(c.reloftype, 0), null), 'method', (select amname from pg_am where oid = c.relam),
    'options', ${sorted("c.reloptions")}, 'toast', (select ${sorted("o.reloptions")} from pg_class o where o.oid = c.reltoastrelid),
    'bound', pg_get_expr(c.relpartbound, c.oid), 'partitioned', case c.relkind when 'p' then pg_get_partkeydef(c.oid) end,
    'definition', case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) when c.relkind in ('i', 'I') then pg_get_indexdef(c.oid) end,
    'rights', ${rightsOf("c.relacl", `case c.relkind when 'S' then 's'::"char" else 'r' end`)}) as facts
  from pg_class c where ${isOwnRelation}`;

/** Of a thing that only describes rows, and differs where none were loaded. */
export const isOfContents = (name: string) => name.startsWith(CONTENTS);
const CONTENTS = "contents of ";

const contents = `
  select '${CONTENTS}' || ${nameOf("pg_class", "c.oid")} as name, jsonb_build_object('filled', c.relispopulated) as facts
  from pg_class c where ${isOwnRelation} and c.relkind = 'm'`;

const columns = `
  select ${nameOf("pg_class", "c.oid", "a.attnum")} as name, ${rowOf(
    "a",
    ...[
      "attrelid",
      "attname",
      "attnum",
      "atttypid",
      "atttypmod",
      "attcollation",
      "attacl",
      "attoptions",
      "atthasmissing",
      "attmissingval",
    ],
    // How many dimensions were written down, which means nothing.
    "attndims",
  )} || jsonb_build_object('place', row_number() over (partition by a.attrelid order by a.attnum), 'type', format_type(a.atttypid, a.atttypmod),
    'collation', nullif(a.attcollation, 0)::regcollation, 'options', ${sorted("a.attoptions")}, 'rights', ${rightsOf("a.attacl", "'c'")}) as facts
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where ${isOwnRelation} and c.relkind <> 'S' and a.attnum > 0 and not a.attisdropped`;

const defaults = `
  select ${nameOf("pg_attrdef", "d.oid")} as name, jsonb_build_object('expression', pg_get_expr(d.adbin, d.adrelid)) as facts
  from pg_class c join pg_attrdef d on d.adrelid = c.oid where ${isOwnRelation}`;

const constraints = `
  select case when k.contypid <> 0 then format('constraint %s of domain %s', k.conname, format_type(k.contypid, null))
    else ${nameOf("pg_constraint", "k.oid")} end as name, ${rowOf(
      "k",
      ...[
        "oid",
        "conname",
        "connamespace",
        "conrelid",
        "contypid",
        "conindid",
        "conparentid",
        "confrelid",
        "conkey",
        "confkey",
        "conpfeqop",
      ],
      ...["conppeqop", "conffeqop", "conexclop", "confdelsetcols", "conbin", "connoinherit"],
    )} || jsonb_build_object('definition', pg_get_constraintdef(k.oid), 'index', nullif(k.conindid, 0)::regclass,
      'parent', ${nameOf("pg_constraint", "k.conparentid")}, 'noInherit', case when k.contype in ('c', 'n') then k.connoinherit end) as facts
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype <> 't' and not ${isClone("k.oid")}`;

const indexes = `
  select 'state of ' || ${nameOf("pg_class", "i.indexrelid")} as name, ${rowOf(
    "i",
    ...[
      "indexrelid",
      "indrelid",
      "indkey",
      "indcollation",
      "indclass",
      "indoption",
      "indexprs",
      "indpred",
      "indcheckxmin",
    ],
  )} as facts from pg_index i join pg_class c on c.oid = i.indrelid where ${isOwnRelation}`;

const inheritance = `
  select format('inheritance of %s from %s', i.inhrelid::regclass, i.inhparent::regclass) as name, ${rowOf("i", "inhrelid", "inhparent", "inhseqno")}
    || jsonb_build_object('place', row_number() over (partition by i.inhrelid order by i.inhseqno)) as facts
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where ${isOwnRelation}`;

const triggers = `
  select ${nameOf("pg_trigger", "t.oid")} as name, jsonb_build_object('definition', pg_get_triggerdef(t.oid), 'enabled', t.tgenabled,
    'parent', ${nameOf("pg_trigger", "t.tgparentid")}) as facts
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${isOwnRelation} and not t.tgisinternal`;

const rules = `
  select ${nameOf("pg_rewrite", "r.oid")} as name, jsonb_build_object('definition', pg_get_ruledef(r.oid), 'enabled', r.ev_enabled) as facts
  from pg_rewrite r join pg_class c on c.oid = r.ev_class where ${isOwnRelation} and r.rulename <> '_RETURN'`;

const policies = `
  select ${nameOf("pg_policy", "p.oid")} as name, jsonb_build_object('command', p.polcmd, 'permissive', p.polpermissive,
    'roles', (select jsonb_agg(${roleOf("r")} order by ${roleOf("r")}) from unnest(p.polroles) r),
    'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)) as facts
  from pg_policy p join pg_class c on c.oid = p.polrelid where ${isOwnRelation}`;

const routines = `
  select ${nameOf("pg_proc", "p.oid")} as name, ${rowOf(
    "p",
    ...[
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
    ],
    ...["proargdefaults", "prosqlbody"],
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
    ...[
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
    ],
    ...["typdefaultbin", "typacl"],
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

const statistics = `
  select ${nameOf("pg_statistic_ext", "s.oid")} as name, jsonb_build_object('definition', pg_get_statisticsobjdef(s.oid), 'target', s.stxstattarget) as facts
  from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace`;

const sequences = `
  select 'settings of ' || ${nameOf("pg_class", "c.oid")} as name, ${rowOf("s", "seqrelid", "seqtypid")}
    || jsonb_build_object('type', format_type(s.seqtypid, null), 'owner', (
      select jsonb_build_array(${nameOf("pg_class", "d.refobjid", "d.refobjsubid")}, d.deptype) from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))) as facts
  from pg_class c join pg_sequence s on s.seqrelid = c.oid where ${isOwnRelation}`;

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
  ...[
    relations,
    contents,
    columns,
    defaults,
    constraints,
    indexes,
    inheritance,
    triggers,
    rules,
    policies,
    routines,
    aggregates,
    types,
    operators,
  ],
  ...[
    casts,
    collations,
    conversions,
    dictionaries,
    configurations,
    statistics,
    sequences,
    comments,
    defaultRights,
  ],
];

/** Everything in the tenant's database but rows and the sequences' values. */
export async function describeCatalogue({ sql }: TenantSession): Promise<Description> {
  await sql.unsafe(PINNED_PATH);
  const description: Description = new Map();
  for (const select of DESCRIPTIONS) {
    const rows = await sql.unsafe<{ name: string; facts: string }[]>(
      `select name, facts::text from (${select}) described`,
    );
    for (const { name, facts } of rows) description.set(name, facts);
  }
  await sql.unsafe(TENANT_PATH);
  return description;
}

/** In which things two descriptions differ; nothing where they say the same. */
export function compareDescriptions(wanted: Description, found: Description): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names].filter((name) => wanted.get(name) !== found.get(name)).sort();
}
