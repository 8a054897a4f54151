import { collationOf, OWN, objectRow, optionsOf, PINNED_PATH, TENANT_PATH } from "./objects.ts";

const inheritsPlainly = `(not c.relispartition and exists (select from pg_inherits i where i.inhrelid = c.oid))`;

/** The columns of a table; inherited ones come from its parents. */
const columnsOf = `
  select a.attnum as place, format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), ${collationOf("a.attcollation", "t.typcollation")},
    case a.attgenerated when 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
      when 'v' then format(' generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid)) else '' end) as item
  from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (a.attislocal or not ${inheritsPlainly})
  union all
  select 10000 + k.conkey[1], format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k where k.conrelid = c.oid and k.contype = 'n' and k.convalidated and (k.conislocal or c.relispartition)`;

const sequenceOptions = `format('start with %s increment by %s minvalue %s maxvalue %s cache %s%s', s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
  s.seqcache, case when s.seqcycle then ' cycle' else ' no cycle' end)`;
const persistence = (relation: string) =>
  `case ${relation}.relpersistence when 'u' then 'unlogged' else 'logged' end`;

/** The settings of each column of a table or materialized view after its creation, as a list. */
const columnSettings = `
  select format('alter table only %s alter column %I ', c.named, a.attname) || setting
  from pg_attribute a join pg_type t on t.oid = a.atttypid, unnest(array[
    case when a.attstorage <> t.typstorage or ${inheritsPlainly} then 'set storage ' ||
      case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end,
    case when a.attcompression <> '' or ${inheritsPlainly} and a.attstorage in ('x', 'm') then 'set compression ' ||
      case a.attcompression when 'p' then 'pglz' when 'l' then 'lz4' else 'default' end end,
    'set statistics ' || a.attstattarget, 'set (' || ${optionsOf("a.attoptions")} || ')']) setting
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and setting is not null order by a.attnum, setting`;

const identities = `
  select format('alter table %s alter column %I add generated %s as identity (sequence name %s %s)', c.named, a.attname,
    case a.attidentity when 'a' then 'always' else 'by default' end, q.named, ${sequenceOptions})
  from pg_attribute a join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid = a.attnum
    and d.classid = 'pg_class'::regclass and d.deptype = 'i'
  join own q on q.oid = d.objid and q.relkind = 'S' join pg_sequence s on s.seqrelid = q.oid
  where a.attrelid = c.oid and a.attidentity <> '' order by a.attnum`;

const identityPersistence = `
  select format('alter sequence %s set %s', q.named, ${persistence("q")})
  from pg_depend d join own q on q.oid = d.objid and q.relkind = 'S'
  where d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'i'
    and q.relpersistence <> c.relpersistence order by 1`;

const storageOptions = `concat_ws(', ', ${optionsOf("c.reloptions")},
  (select ${optionsOf("o.reloptions", "toast.")} from pg_class o where o.oid = c.reltoastrelid))`;

const tables = `with ${OWN}
  select ${objectRow({
    key: "'pg_class/' || c.oid",
    name: "'table ' || c.relname",
    rank: 50,
    sql: [
      `format(E'create %stable %s (\\n  %s\\n)%s%s%s', case when c.relpersistence = 'u' then 'unlogged ' else '' end, c.named,
        (select string_agg(item, E',\\n  ' order by place, item) from (${columnsOf}) items),
        (select format(' inherits (%s)', string_agg(i.inhparent::regclass::text, ', ' order by i.inhseqno)) from pg_inherits i
          where i.inhrelid = c.oid and ${inheritsPlainly} having count(*) > 0),
        case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) end,
        ' with (' || nullif(${storageOptions}, '') || ')')`,
      { each: identities },
      { each: identityPersistence },
      { each: columnSettings },
      "format('alter table %s of ', c.named) || format_type(nullif(c.reloftype, 0), null)",
      `case c.relreplident when 'f' then format('alter table only %s replica identity full', c.named)
        when 'n' then format('alter table only %s replica identity nothing', c.named) end`,
    ],
  })} from own c where c.relkind in ('r', 'p')`;

const partitions = `with ${OWN}
  select ${objectRow({
    key: "'attach/' || c.oid",
    name: "'partition ' || c.relname",
    rank: 53,
    sql: [
      "format('alter table only %s attach partition %s %s', i.inhparent::regclass, c.named, pg_get_expr(c.relpartbound, c.oid))",
    ],
    needs: ["'pg_class/' || c.oid", "'pg_class/' || i.inhparent"],
  })} from own c join pg_inherits i on i.inhrelid = c.oid where c.relispartition and c.relkind in ('r', 'p')`;

const isIdentity = `exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')`;

const sequences = `with ${OWN}
  select ${objectRow({
    key: "'pg_class/' || c.oid",
    name: "'sequence ' || c.relname",
    rank: 48,
    sql: [
      `format('create %ssequence %s as %s %s', case when c.relpersistence = 'u' then 'unlogged ' else '' end, c.named,
      format_type(s.seqtypid, null), ${sequenceOptions})`,
    ],
  })} from own c join pg_sequence s on s.seqrelid = c.oid where not ${isIdentity}`;

const sequenceOwners = `with ${OWN}
  select ${objectRow({
    key: "'owner/' || s.oid",
    name: "'owner of sequence ' || s.relname",
    rank: 58,
    sql: ["format('alter sequence %s owned by %s.%I', s.named, c.named, a.attname)"],
    needs: ["'pg_class/' || s.oid", "'pg_class/' || c.oid"],
  })} from own s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype = 'a' and d.refclassid = 'pg_class'::regclass
  join own c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid where s.relkind = 'S'`;

const sequenceValues = `with ${OWN}
  select ${objectRow({
    key: "'value/' || c.oid",
    name: "'value of sequence ' || c.relname",
    rank: 101,
    sql: ["format('select setval(%L, %s, %L)', c.named, v.last_value, v.is_called)"],
  })} from own c, pg_get_sequence_data(c.oid) v where c.relkind = 'S'`;

const defaults = `with ${OWN}
  select ${objectRow({
    key: "'pg_attrdef/' || d.oid",
    name: "format('default of column %s of %s', a.attname, c.relname)",
    rank: 65,
    sql: [
      "format('alter table only %s alter column %I set default %s', c.named, a.attname, pg_get_expr(d.adbin, d.adrelid))",
    ],
    needs: ["'pg_class/' || c.oid"],
  })} from own c join pg_attrdef d on d.adrelid = c.oid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
  where a.attgenerated = ''`;

const viewOptions = `' with (' || ${optionsOf("c.reloptions")} || ')'`;

const views = `with ${OWN}
  select ${objectRow({
    key: "'pg_class/' || c.oid",
    name: "'view ' || c.relname",
    rank: 60,
    sql: [
      `format('create or replace view %s%s as%s', c.named, ${viewOptions}, E'\\n' || rtrim(pg_get_viewdef(c.oid), ';'))`,
    ],
    standIn: `format('create view %s as select %s', c.named, (
      select string_agg(format('null::%s%s as %I', format_type(a.atttypid, a.atttypmod), ${collationOf("a.attcollation", "t.typcollation")}, a.attname),
        ', ' order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0))`,
    standInNeeds: `(select coalesce(jsonb_agg('pg_type/' || a.atttypid), '[]') || coalesce(jsonb_agg('pg_collation/' || a.attcollation), '[]')
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0)`,
  })} from own c where c.relkind = 'v'`;

const materializedViews = `with ${OWN}
  select ${objectRow({
    key: "'pg_class/' || c.oid",
    name: "'materialized view ' || c.relname",
    rank: 60,
    sql: [
      `format('create materialized view %s%s as%s with no data', c.named, ' with (' || nullif(${storageOptions}, '') || ')',
        E'\\n' || rtrim(pg_get_viewdef(c.oid), ';') || E'\\n')`,
      { each: columnSettings },
    ],
  })} from own c where c.relkind = 'm'`;

/** Rows are checked with the tenant's search path: a function in a check may use names without a schema. */
const isChecked = "k.convalidated and k.contype = 'c'";

const checks = `with ${OWN}
  select ${objectRow({
    key: "'pg_constraint/' || k.oid",
    name: "format('constraint %s of %s', k.conname, c.relname)",
    rank: 110,
    sql: [
      `format('alter table %s add constraint %I %s%s', c.named, k.conname, pg_get_constraintdef(k.oid), case when ${isChecked} then ' not valid' end)`,
      {
        each: `select unnest(array['${TENANT_PATH}', format('alter table %s validate constraint %I', c.named, k.conname), '${PINNED_PATH}']) where ${isChecked}`,
      },
    ],
    // A child that has an equal constraint of its own gets it first: the parent's constraint then adopts it.
    needs: [
      "'pg_class/' || c.oid",
      {
        each: `select 'pg_constraint/' || h.oid from pg_inherits i join pg_constraint h on h.conrelid = i.inhrelid
          where i.inhparent = c.oid and h.conname = k.conname and h.contype = k.contype`,
      },
    ],
  })} from own c join pg_constraint k on k.conrelid = c.oid
  where k.conislocal and (k.contype = 'c' or k.contype = 'n' and not k.convalidated)`;

/** The settings of an index after its creation; those of a constraint's index are part of the constraint. */
const indexSettings = `
  select format('alter index public.%I set (%s)', x.relname, ${optionsOf("x.reloptions")}) where k.oid is not null and x.reloptions is not null
  union all
  select format('alter index public.%I alter column %s set statistics %s', x.relname, a.attnum, a.attstattarget)
  from pg_attribute a where a.attrelid = x.oid and a.attstattarget is not null
  union all
  select format('alter table %s cluster on %I', c.named, x.relname) where i.indisclustered
  union all
  select format('alter table only %s replica identity using index %I', c.named, x.relname) where i.indisreplident`;

const isKey = "k.conindid = i.indexrelid and k.conrelid = c.oid and k.contype in ('p', 'u', 'x')";

const indexes = `with ${OWN}
  select ${objectRow({
    key: "coalesce('pg_constraint/' || k.oid, 'pg_class/' || x.oid)",
    name: "format('%s %s of %s', case when k.oid is null then 'index' else 'constraint' end, x.relname, c.relname)",
    rank: "case when k.oid is null then 105 else 103 end",
    sql: [
      `case when k.oid is null then pg_get_indexdef(x.oid)
        else format('alter table only %s add constraint %I %s', c.named, k.conname, pg_get_constraintdef(k.oid)) end`,
      { each: indexSettings },
    ],
    needs: ["'pg_class/' || c.oid"],
  })} from own c join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid left join pg_constraint k on ${isKey}`;

const indexPartitions = `with ${OWN}
  select ${objectRow({
    key: "'attach/' || x.oid",
    name: "'index partition ' || x.relname",
    rank: 108,
    sql: ["format('alter index %s attach partition %s', h.inhparent::regclass, x.named)"],
    needs: ["'pg_class/' || x.oid", "'pg_class/' || h.inhparent"],
  })} from own x join pg_inherits h on h.inhrelid = x.oid where x.relkind in ('i', 'I')`;

/** Foreign keys of partitions come first, under their own names; the parent's then adopts them. */
const foreignKeys = `with ${OWN}
  select ${objectRow({
    key: "'pg_constraint/' || k.oid",
    name: "format('constraint %s of %s', k.conname, c.relname)",
    rank: 120,
    sql: ["format('alter table %s add constraint %I %s', c.named, k.conname, pg_get_constraintdef(k.oid))"],
    needs: [
      "'pg_class/' || c.oid",
      {
        each: "select 'pg_constraint/' || h.oid from pg_constraint h where h.conparentid = k.oid and h.conrelid <> k.conrelid",
      },
    ],
  })} from own c join pg_constraint k on k.conrelid = c.oid
  where k.contype = 'f' and not exists (select from pg_constraint p where p.oid = k.conparentid and p.conrelid = k.conrelid)`;

const statistics = `
  select ${objectRow({
    key: "'pg_statistic_ext/' || s.oid",
    name: "'statistics ' || s.stxname",
    rank: 130,
    sql: [
      "pg_get_statisticsobjdef(s.oid)",
      "format('alter statistics public.%I set statistics ', s.stxname) || s.stxstattarget",
    ],
    needs: ["'pg_class/' || s.stxrelid"],
  })} from pg_statistic_ext s
  where s.stxnamespace = 'public'::regnamespace`;

export const RELATIONS = [
  sequences,
  tables,
  partitions,
  sequenceOwners,
  sequenceValues,
  defaults,
  views,
  materializedViews,
  checks,
  indexes,
  indexPartitions,
  foreignKeys,
  statistics,
];
