import { collationOf, objectRow } from "./objects.ts";

const isOwnType = "t.typnamespace = 'public'::regnamespace";
const isInternal = (catalogue: string, oid: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'i')`;
const qualified = (schema: string, name: string) => `format('%I.%I', ${schema}::regnamespace::name, ${name})`;

const enums = `
  select ${objectRow({
    key: "'pg_type/' || t.oid",
    name: "'type ' || t.typname",
    rank: 20,
    sql: [
      `format('create type public.%I as enum (%s)', t.typname, coalesce(
      (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), ''))`,
    ],
  })} from pg_type t where ${isOwnType} and t.typtype = 'e'`;

const composites = `
  select ${objectRow({
    key: "'pg_class/' || c.oid",
    name: "'type ' || c.relname",
    rank: 20,
    sql: [
      `format('create type public.%I as (%s)', c.relname, coalesce((
      select string_agg(format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod), ${collationOf("a.attcollation", "t.typcollation")}), ', ' order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), ''))`,
    ],
  })} from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'`;

const ranges = `
  select ${objectRow({
    key: "'pg_type/' || t.oid",
    name: "'type ' || t.typname",
    rank: 20,
    sql: [
      `format('create type public.%I as range (%s)', t.typname, concat_ws(', ',
      'subtype = ' || format_type(r.rngsubtype, null), 'subtype_opclass = ' || ${qualified("o.opcnamespace", "o.opcname")},
      'collation = ' || nullif(r.rngcollation, 0)::regcollation, 'subtype_diff = ' || nullif(r.rngsubdiff::oid, 0)::regproc,
      'multirange_type_name = ' || ${qualified("m.typnamespace", "m.typname")}))`,
    ],
  })} from pg_type t join pg_range r on r.rngtypid = t.oid join pg_opclass o on o.oid = r.rngsubopc
  join pg_type m on m.oid = r.rngmultitypid where ${isOwnType}`;

const domains = `
  select ${objectRow({
    key: "'pg_type/' || t.oid",
    name: "'domain ' || t.typname",
    rank: 20,
    sql: [
      `format('create domain public.%I as %s%s', t.typname, format_type(t.typbasetype, t.typtypmod), ${collationOf("t.typcollation", "b.typcollation")})`,
    ],
  })} from pg_type t join pg_type b on b.oid = t.typbasetype where ${isOwnType} and t.typtype = 'd'`;

const domainDefaults = `
  select ${objectRow({
    key: "'default/' || t.oid",
    name: "'default of domain ' || t.typname",
    rank: 35,
    sql: ["format('alter domain public.%I set default %s', t.typname, pg_get_expr(t.typdefaultbin, 0))"],
    needs: ["'pg_type/' || t.oid"],
  })} from pg_type t where ${isOwnType} and t.typtype = 'd' and t.typdefaultbin is not null`;

/** A constraint that is not valid would refuse existing rows. */
const domainConstraints = `
  select ${objectRow({
    key: "'pg_constraint/' || k.oid",
    name: "format('constraint %s of domain %s', k.conname, t.typname)",
    rank: "case when k.convalidated then 36 else 110 end",
    sql: [
      "format('alter domain public.%I add constraint %I %s', t.typname, k.conname, pg_get_constraintdef(k.oid))",
    ],
    needs: ["'pg_type/' || t.oid"],
  })} from pg_type t join pg_constraint k on k.contypid = t.oid where ${isOwnType} and t.typtype = 'd'`;

/** A copy of "C" is for every encoding; any other, by its name, is for the database's encoding. */
const collations = `
  select ${objectRow({
    key: "'pg_collation/' || c.oid",
    name: "'collation ' || c.collname",
    rank: 10,
    sql: [
      `case when c.collprovider = 'c' and c.collencoding = -1 then format('create collation public.%I from pg_catalog.%I', c.collname, c.collcollate)
        else format('create collation public.%I (%s)', c.collname, concat_ws(', ',
          'provider = ' || case c.collprovider when 'c' then 'libc' when 'i' then 'icu' else 'builtin' end,
          'locale = ' || quote_literal(c.colllocale), 'lc_collate = ' || quote_literal(c.collcollate), 'lc_ctype = ' || quote_literal(c.collctype),
          'rules = ' || quote_literal(c.collicurules), case when c.collisdeterministic then null else 'deterministic = false' end)) end`,
    ],
  })} from pg_collation c where c.collnamespace = 'public'::regnamespace`;

const dictionaries = `
  select ${objectRow({
    key: "'pg_ts_dict/' || d.oid",
    name: "'text search dictionary ' || d.dictname",
    rank: 12,
    sql: [
      `format('create text search dictionary public.%I (template = %s%s)', d.dictname, ${qualified("m.tmplnamespace", "m.tmplname")},
      coalesce(', ' || d.dictinitoption, ''))`,
    ],
  })} from pg_ts_dict d join pg_ts_template m on m.oid = d.dicttemplate where d.dictnamespace = 'public'::regnamespace`;

const configurations = `
  select ${objectRow({
    key: "'pg_ts_config/' || c.oid",
    name: "'text search configuration ' || c.cfgname",
    rank: 13,
    sql: [
      `format('create text search configuration public.%I (parser = %s)', c.cfgname, ${qualified("p.prsnamespace", "p.prsname")})`,
    ],
  })} from pg_ts_config c join pg_ts_parser p on p.oid = c.cfgparser where c.cfgnamespace = 'public'::regnamespace`;

const mappings = `
  select ${objectRow({
    key: "format('mapping/%s/%s', c.oid, k.tokid)",
    name: "format('mapping of %s of text search configuration %s', k.alias, c.cfgname)",
    rank: 14,
    sql: [
      `format('alter text search configuration public.%I add mapping for %I with %s', c.cfgname, k.alias, (
      select string_agg(m.mapdict::regdictionary::text, ', ' order by m.mapseqno) from pg_ts_config_map m
      where m.mapcfg = c.oid and m.maptokentype = k.tokid))`,
    ],
    needs: ["'pg_ts_config/' || c.oid"],
  })} from pg_ts_config c, ts_token_type(c.cfgparser) k where c.cfgnamespace = 'public'::regnamespace
  and exists (select from pg_ts_config_map m where m.mapcfg = c.oid and m.maptokentype = k.tokid)`;

const conversions = `
  select ${objectRow({
    key: "'pg_conversion/' || c.oid",
    name: "'conversion ' || c.conname",
    rank: 15,
    sql: [
      `format('create %sconversion public.%I for %L to %L from %s', case when c.condefault then 'default ' else '' end, c.conname,
      pg_encoding_to_char(c.conforencoding), pg_encoding_to_char(c.contoencoding), c.conproc)`,
    ],
  })} from pg_conversion c where c.connamespace = 'public'::regnamespace`;

const casts = `
  select ${objectRow({
    key: "'pg_cast/' || c.oid",
    name: "format('cast (%s as %s)', format_type(c.castsource, null), format_type(c.casttarget, null))",
    rank: 45,
    sql: [
      `format('create cast (%s as %s) with %s%s', format_type(c.castsource, null), format_type(c.casttarget, null),
      case c.castmethod when 'f' then 'function ' || c.castfunc::regprocedure else 'inout' end,
      case c.castcontext when 'a' then ' as assignment' when 'i' then ' as implicit' else '' end)`,
    ],
  })} from pg_cast c where c.oid >= 16384 and not ${isInternal("pg_cast", "c.oid")}`;

const routines = `
  select ${objectRow({
    key: "'pg_proc/' || p.oid",
    name: "'function ' || p.oid::regprocedure",
    rank: 30,
    sql: ["rtrim(pg_get_functiondef(p.oid), E'\\n')"],
    // Nothing but a function can be part of a circle: no procedure is called in a body that PostgreSQL has read.
    standIn: `case when p.prokind = 'f' then format('create function public.%I(%s) returns %s language plpgsql immutable as ''begin end''',
      p.proname, pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid)) end`,
    standInNeeds: `(select jsonb_agg('pg_type/' || t) from unnest(array[p.prorettype] || coalesce(p.proallargtypes, p.proargtypes::oid[])) t)`,
  })} from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and not ${isInternal("pg_proc", "p.oid")}`;

const modify = (mode: string) =>
  `case ${mode} when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end`;
const fn = (label: string, column: string) => `'${label} = ' || nullif(${column}::oid, 0)::regproc`;

const aggregates = `
  select ${objectRow({
    key: "'pg_proc/' || p.oid",
    name: "'aggregate ' || p.oid::regprocedure",
    rank: 33,
    sql: [
      `format('create aggregate public.%I(%s) (%s)', p.proname, coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'), concat_ws(', ',
      ${fn("sfunc", "a.aggtransfn")}, 'stype = ' || format_type(a.aggtranstype, null), 'sspace = ' || nullif(a.aggtransspace, 0),
      ${fn("finalfunc", "a.aggfinalfn")}, case when a.aggfinalextra then 'finalfunc_extra' end, 'finalfunc_modify = ' || ${modify("a.aggfinalmodify")},
      ${fn("combinefunc", "a.aggcombinefn")}, 'initcond = ' || quote_literal(a.agginitval),
      ${fn("msfunc", "a.aggmtransfn")}, ${fn("minvfunc", "a.aggminvtransfn")}, 'mstype = ' || format_type(nullif(a.aggmtranstype, 0), null),
      'msspace = ' || nullif(a.aggmtransspace, 0), ${fn("mfinalfunc", "a.aggmfinalfn")}, case when a.aggmfinalextra then 'mfinalfunc_extra' end,
      case when a.aggmtransfn::oid <> 0 then 'mfinalfunc_modify = ' || ${modify("a.aggmfinalmodify")} end,
      'minitcond = ' || quote_literal(a.aggminitval), (select format('sortop = operator(%I.%s)', o.oprnamespace::regnamespace::name, o.oprname)
        from pg_operator o where o.oid = a.aggsortop), 'parallel = ' || case p.proparallel when 's' then 'safe' when 'r' then 'restricted' else 'unsafe' end,
      case when a.aggkind = 'h' then 'hypothetical' end))`,
    ],
  })} from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid where p.pronamespace = 'public'::regnamespace`;

const linked = (label: string, column: string) =>
  `(select format('${label} = operator(%I.%s)', l.oprnamespace::regnamespace::name, l.oprname) from pg_operator l where l.oid = ${column})`;

/** One without a function was only named by another, and is again. */
const operators = `
  select ${objectRow({
    key: "'pg_operator/' || o.oid",
    name: "'operator ' || o.oid::regoperator",
    rank: 34,
    sql: [
      `format('create operator public.%s (%s)', o.oprname, concat_ws(', ', 'function = ' || o.oprcode,
      'leftarg = ' || format_type(nullif(o.oprleft, 0), null), 'rightarg = ' || format_type(nullif(o.oprright, 0), null),
      ${linked("commutator", "o.oprcom")}, ${linked("negator", "o.oprnegate")},
      'restrict = ' || nullif(o.oprrest::oid, 0)::regproc, 'join = ' || nullif(o.oprjoin::oid, 0)::regproc,
      case when o.oprcanmerge then 'merges' end, case when o.oprcanhash then 'hashes' end))`,
    ],
  })} from pg_operator o where o.oprnamespace = 'public'::regnamespace and o.oprcode::oid <> 0`;

export const TYPES = [
  collations,
  dictionaries,
  configurations,
  mappings,
  conversions,
  enums,
  composites,
  ranges,
  domains,
  domainDefaults,
  domainConstraints,
  routines,
  aggregates,
  operators,
  casts,
];
