import { roleOf } from "../dump/objects.ts";
import { isClone, isOwnRelation, nameOf, rightsOf, rowOf, sorted } from "./expressions.ts";

const relations = `
  select ${nameOf("pg_class", "c.oid")} as name, ${rowOf(
    "c",
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
    "relallfrozen",
    "reltoastrelid",
    "relfrozenxid",
    "relminmxid",
    "relacl",
    "relpartbound",
    "relrewrite",
    "reloptions",
    "relnatts",
    // Hints, which may still say yes when the last one is gone.
    "relhasindex",
    "relhasrules",
    "relhastriggers",
    "relhassubclass",
    // Said below.
    "relispopulated",
  )} || jsonb_build_object('type', format_type(nullif(c.reloftype, 0), null), 'method', (select amname from pg_am where oid = c.relam),
    'options', ${sorted("c.reloptions")}, 'toast', (select ${sorted("o.reloptions")} from pg_class o where o.oid = c.reltoastrelid),
    'bound', pg_get_expr(c.relpartbound, c.oid), 'partitioned', case c.relkind when 'p' then pg_get_partkeydef(c.oid) end,
    'definition', case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) when c.relkind in ('i', 'I') then pg_get_indexdef(c.oid) end,
    'rights', ${rightsOf("c.relacl", `case c.relkind when 'S' then 's'::"char" else 'r' end`)}) as facts
  from pg_class c where ${isOwnRelation}`;

/** Returns true for the name of a fact that describes only rows, and so differs if none were loaded. */
export const isOfContents = (name: string) => name.startsWith(CONTENTS);
const CONTENTS = "contents of ";

const contents = `
  select '${CONTENTS}' || ${nameOf("pg_class", "c.oid")} as name, jsonb_build_object('filled', c.relispopulated) as facts
  from pg_class c where ${isOwnRelation} and c.relkind = 'm'`;

const columns = `
  select ${nameOf("pg_class", "c.oid", "a.attnum")} as name, ${rowOf(
    "a",
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
      "conppeqop",
      "conffeqop",
      "conexclop",
      "confdelsetcols",
      "conbin",
      "connoinherit",
    )} || jsonb_build_object('definition', pg_get_constraintdef(k.oid), 'index', nullif(k.conindid, 0)::regclass,
      'parent', ${nameOf("pg_constraint", "k.conparentid")}, 'noInherit', case when k.contype in ('c', 'n') then k.connoinherit end) as facts
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype <> 't' and not ${isClone("k.oid")}`;

const indexes = `
  select 'state of ' || ${nameOf("pg_class", "i.indexrelid")} as name, ${rowOf(
    "i",
    "indexrelid",
    "indrelid",
    "indkey",
    "indcollation",
    "indclass",
    "indoption",
    "indexprs",
    "indpred",
    "indcheckxmin",
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

const statistics = `
  select ${nameOf("pg_statistic_ext", "s.oid")} as name, jsonb_build_object('definition', pg_get_statisticsobjdef(s.oid), 'target', s.stxstattarget) as facts
  from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace`;

const sequences = `
  select 'settings of ' || ${nameOf("pg_class", "c.oid")} as name, ${rowOf("s", "seqrelid", "seqtypid")}
    || jsonb_build_object('type', format_type(s.seqtypid, null), 'owner', (
      select jsonb_build_array(${nameOf("pg_class", "d.refobjid", "d.refobjsubid")}, d.deptype) from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))) as facts
  from pg_class c join pg_sequence s on s.seqrelid = c.oid where ${isOwnRelation}`;

/** The descriptions of tables, views, indexes and sequences, and of the objects that belong to them. */
export const RELATIONS = [
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
  statistics,
  sequences,
];
