import type postgres from "postgres";
import type { z } from "zod";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import type { Database } from "./schema.ts";

type Structure = Pick<z.input<typeof Database>, "sizeBytes" | "tables" | "views" | "functions">;

interface Row {
  structure: string;
}

const COLUMNS = `coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', a.attname,
            'type', t.typname || coalesce(substring(format_type(a.atttypid, a.atttypmod), '\\([0-9,]+\\)'), ''),
            'nullable', not a.attnotnull,
            'default', pg_get_expr(d.adbin, d.adrelid)) order by a.attnum)
          from pg_attribute a
          join pg_type t on t.oid = a.atttypid
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]')`;

/** The names of the columns that a foreign key lists in `attribute`, in its order. */
const keyColumns = (relation: string, attribute: string) => `(
            select jsonb_agg(a.attname order by u.place)
            from unnest(k.${attribute}) with ordinality u(attnum, place)
            join pg_attribute a on a.attrelid = k.${relation} and a.attnum = u.attnum)`;

// Towards a partitioned table PostgreSQL adds a constraint for each partition below the one that was written.
const FOREIGN_KEYS = `coalesce((
          select jsonb_agg(jsonb_build_object(
            'name', k.conname,
            'columns', ${keyColumns("conrelid", "conkey")},
            'table', f.relname,
            'referencedColumns', ${keyColumns("confrelid", "confkey")}) order by k.conname)
          from pg_constraint k join pg_class f on f.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and not exists (
            select from pg_constraint p where p.oid = k.conparentid and p.conrelid = k.conrelid)), '[]')`;

/** The tables, views and functions of schema `public` as one JSON text: the connection reads no types of its own. */
const STRUCTURE = `
  select jsonb_build_object(
    'sizeBytes', pg_database_size(current_database()),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object(
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
            'name', x.relname, 'unique', i.indisunique, 'definition', pg_get_indexdef(i.indexrelid),
            'columns', (select jsonb_agg(pg_get_indexdef(i.indexrelid, n, true) order by n)
              from generate_series(1, i.indnkeyatts) n)) order by x.relname)
          from pg_index i join pg_class x on x.oid = i.indexrelid
          where i.indrelid = c.oid), '[]'),
        'rowEstimate', greatest(c.reltuples, 0)::int8,
        'sizeBytes', pg_total_relation_size(c.oid)) order by c.relname)
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')), '[]'),
    'views', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', c.relname,
        'materialized', c.relkind = 'm',
        'columns', ${COLUMNS},
        'rowEstimate', case when c.relkind = 'm' then greatest(c.reltuples, 0)::int8 end,
        'sizeBytes', pg_total_relation_size(c.oid)) order by c.relname)
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')), '[]'),
    'functions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.proname,
        'kind', case f.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window' else 'function' end,
        'arguments', pg_get_function_arguments(f.oid),
        'returns', pg_get_function_result(f.oid),
        'language', l.lanname) order by f.proname, pg_get_function_arguments(f.oid))
      from pg_proc f join pg_language l on l.oid = f.prolang
      where f.pronamespace = 'public'::regnamespace), '[]'))::text as structure`;

/** What the database holds, as its catalogue says. */
export async function readStructure({ sql }: TenantSession): Promise<Structure> {
  // Nothing that the tenant has made, an operator say, stands before PostgreSQL's own.
  await sql.unsafe("set local search_path = pg_catalog");
  const [row] = (await sql.unsafe<Row[]>(STRUCTURE)) as postgres.RowList<Row[]>;
  return JSON.parse(row?.structure ?? "{}");
}

/**
 * Whether the database holds nothing at all: everything that a tenant can make, a function or a type as well as a table,
 * lies in the schema `public` and depends on it, but for default privileges in every schema.
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
