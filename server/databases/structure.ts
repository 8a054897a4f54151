import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import type { Database } from "./schema.ts";

type Structure = Pick<z.input<typeof Database>, "sizeBytes" | "tables" | "views" | "functions" | "complete">;

interface Row {
  structure: string;
}

/** The maximum length of a list: a tenant can create more objects than fit into memory. */
const MAX_LISTED = 10_000;
const MAX_BYTES = 6 * 1_048_576;
/** The maximum characters of a default, of arguments or of an index definition. */
const MAX_CHARACTERS = 10_000;

const abridged = (text: string) =>
  `case when length(${text}) > ${MAX_CHARACTERS} then left(${text}, ${MAX_CHARACTERS - 1}) || '…' else ${text} end`;

/** Returns the first rows of a catalogue by name as JSON objects, as many as fit. */
const listed = (object: string, { from, order }: { from: string; order: string }) => `coalesce((
      select jsonb_agg(f.object order by f.place)
      from (
        select o.object, o.place, sum(octet_length(o.object::text)) over (order by o.place) as bytes
        from (select ${object} as object, row_number() over (order by ${order}) as place from ${from}) o) f
      where f.bytes <= ${MAX_BYTES}), '[]')`;

const relations = (kinds: string) =>
  `pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in (${kinds})`;
const TABLES = relations("'r', 'p'");
const VIEWS = relations("'v', 'm'");
const FUNCTIONS = "pg_proc p where p.pronamespace = 'public'::regnamespace";

const COLUMNS = `coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', a.attname,
            'type', t.typname || coalesce(substring(format_type(a.atttypid, a.atttypmod), '\\([0-9,]+\\)'), ''),
            'nullable', not a.attnotnull,
            'default', ${abridged("d.expression")}) order by a.attnum)
          from pg_attribute a
          join pg_type t on t.oid = a.atttypid
          left join lateral (
            select pg_get_expr(e.adbin, e.adrelid) as expression from pg_attrdef e
            where e.adrelid = a.attrelid and e.adnum = a.attnum offset 0) d on true
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]')`;

/** The names of the columns that a foreign key lists in `attribute`, in its order. */
const keyColumns = (relation: string, attribute: string) => `(
            select jsonb_agg(a.attname order by u.place)
            from unnest(k.${attribute}) with ordinality u(attnum, place)
            join pg_attribute a on a.attrelid = k.${relation} and a.attnum = u.attnum)`;

// For a partitioned target, PostgreSQL adds a constraint per partition below the declared one.
const FOREIGN_KEYS = `coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', k.conname,
            'columns', ${keyColumns("conrelid", "conkey")},
            'table', f.relname,
            'referencedColumns', ${keyColumns("confrelid", "confkey")}) order by k.conname)
          from pg_constraint k join pg_class f on f.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and not exists (
            select from pg_constraint p where p.oid = k.conparentid and p.conrelid = k.conrelid)), '[]')`;

const TABLE = `jsonb_build_object(
        'name', c.relname,
        'columns', ${COLUMNS},
        'primaryKey', coalesce((
          select jsonb_agg(a.attname order by k.place)
          from pg_index i, unnest(i.indkey) with ordinality k(attnum, place)
          join pg_attribute a on a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid), '[]'),
        'foreignKeys', ${FOREIGN_KEYS},
        'indexes', coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', x.relname, 'unique', i.indisunique, 'definition', ${abridged("pg_get_indexdef(i.indexrelid)")},
            'columns', (select jsonb_agg(${abridged("pg_get_indexdef(i.indexrelid, n, true)")} order by n)
              from generate_series(1, i.indnkeyatts) n)) order by x.relname)
          from pg_index i join pg_class x on x.oid = i.indexrelid
          where i.indrelid = c.oid), '[]'),
        'rowEstimate', greatest(c.reltuples, 0)::int8,
        'sizeBytes', pg_total_relation_size(c.oid))`;

const VIEW = `jsonb_build_object(
        'name', c.relname,
        'materialized', c.relkind = 'm',
        'columns', ${COLUMNS},
        'rowEstimate', case when c.relkind = 'm' then greatest(c.reltuples, 0)::int8 end,
        'sizeBytes', pg_total_relation_size(c.oid))`;

const FUNCTION = `jsonb_build_object(
        'name', f.proname,
        'kind', case f.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window' else 'function' end,
        'arguments', f.arguments,
        'returns', ${abridged("pg_get_function_result(f.oid)")},
        'language', l.lanname)`;

/** Reads tables, views and functions of schema `public` as one JSON text: the connection parses no types. */
const STRUCTURE = `
  select jsonb_build_object(
    'sizeBytes', pg_database_size(current_database()),
    'tables', ${listed(TABLE, {
      from: `(select c.* from ${TABLES} order by c.relname limit ${MAX_LISTED}) c`,
      order: "c.relname",
    })},
    'views', ${listed(VIEW, {
      from: `(select c.* from ${VIEWS} order by c.relname limit ${MAX_LISTED}) c`,
      order: "c.relname",
    })},
    'functions', ${listed(FUNCTION, {
      from: `(
        select p.oid, p.proname, p.prokind, p.prolang, ${abridged("pg_get_function_arguments(p.oid)")} as arguments
        from (select p.* from ${FUNCTIONS} order by p.proname, p.oid limit ${MAX_LISTED}) p offset 0) f
      join pg_language l on l.oid = f.prolang`,
      order: "f.proname, f.arguments, f.oid",
    })},
    'counts', (select jsonb_build_array((select count(*) from ${TABLES}), (select count(*) from ${VIEWS}), (select count(*) from ${FUNCTIONS}))))::text as structure`;

/** Returns the objects of the database, by its catalogue. */
export async function readStructure({ sql }: TenantSession): Promise<Structure> {
  // The tenant's own objects, such as operators, must not shadow PostgreSQL's.
  await sql.unsafe("set local search_path = pg_catalog");
  const [row] = await sql.unsafe<Row[]>(STRUCTURE);
  const { counts, ...structure }: Omit<Structure, "complete"> & { counts: number[] } = JSON.parse(
    defined(row).structure,
  );
  const lists = [structure.tables, structure.views, structure.functions];
  return { ...structure, complete: lists.every(({ length }, nth) => length === counts[nth]) };
}

/** Returns the number of the database's objects and its size. */
export async function readExtent({ sql }: TenantSession) {
  await sql.unsafe("set local search_path = pg_catalog");
  const [row] = await sql.unsafe<{ tables: string; rows: string; bytes: string }[]>(`
    select count(*)::text as tables, coalesce(sum(greatest(c.reltuples, 0))::int8, 0)::text as rows,
      pg_database_size(current_database())::text as bytes
    from ${TABLES}`);
  const { tables, rows, bytes } = defined(row);
  return { tables: Number(tables), rows: Number(rows), bytes: Number(bytes) };
}

/**
 * True if the database is empty: everything that a tenant can create lies in the schema `public` or depends on it,
 * except default privileges in every schema.
 */
export async function isEmpty({ sql }: TenantSession): Promise<boolean> {
  const [row] = await sql.unsafe<{ empty: string }[]>(
    `select (not exists (select from pg_catalog.pg_depend d
      where d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
      and d.refobjid operator(pg_catalog.=) 'public'::pg_catalog.regnamespace)
      and not exists (select from pg_catalog.pg_default_acl))::pg_catalog.text as empty`,
  );
  return row?.empty === "true";
}
