import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { linkObjects } from "./dump/dependencies.ts";
import { type DumpObject, PINNED_PATH, TENANT_PATH } from "./dump/objects.ts";
import { NoOrder, type Order, orderObjects } from "./dump/order.ts";
import { PROPERTIES } from "./dump/properties.ts";
import { RELATIONS } from "./dump/relations.ts";
import { TRIGGERS_AND_POLICIES } from "./dump/triggers-and-policies.ts";
import { TYPES } from "./dump/types.ts";
import type { BoundedReader } from "./read-definitions.ts";
import { unarchivableError } from "./refuse-unarchivable.ts";

/** A table whose rows an archive contains. */
export interface DumpedTable {
  name: string;
  /** Its columns, except generated ones, which PostgreSQL computes. */
  columns: string[];
}

export interface Dump {
  /** Statements to run, in order, before the rows are loaded. */
  before: string[];
  /** Statements to run after the rows: keys, indexes, checks, triggers; then comments and privileges. */
  after: string[];
  /** Statements that refresh the materialized views that had rows. */
  filling: string[];
  tables: DumpedTable[];
}

const DUMPED_TABLES = `
  select jsonb_build_object('name', c.relname, 'columns', coalesce((
    select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '[]'))::text as definition, c.relname as name
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

const FILLED_VIEWS = `
  select jsonb_build_object('key', 'pg_class/' || c.oid, 'name', c.relname,
    'sql', jsonb_build_array(format('refresh materialized view public.%I', c.relname)))::text as definition, c.relname as name
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'm' and c.relispopulated`;

/** Returns the statements that recreate the tenant's schema, in a valid order, and its tables. */
export async function dumpSchema(session: TenantSession, read: BoundedReader): Promise<Dump> {
  await session.sql.unsafe(PINNED_PATH);

  async function readObjects<T = DumpObject>(...selects: string[]): Promise<T[]> {
    const objects: T[] = [];
    for (const select of selects)
      for await (const [, definition] of read(select)) objects.push(JSON.parse(definition));
    return objects;
  }

  const objects = await readObjects(...TYPES, ...RELATIONS, ...TRIGGERS_AND_POLICIES);
  await linkObjects(read, objects);
  const { before, after } = order(objects);
  const properties = await readObjects(...PROPERTIES);
  properties.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const places = new Map([...before, ...after].map(({ key }, place) => [key, place]));
  const filled = await readObjects(FILLED_VIEWS);
  filled.sort((a, b) => (places.get(a.key) ?? 0) - (places.get(b.key) ?? 0));
  const tables = await readObjects<DumpedTable>(DUMPED_TABLES);
  await session.sql.unsafe(TENANT_PATH);
  const statements = (list: readonly DumpObject[]) => list.flatMap(({ sql }) => sql);
  return {
    before: statements(before),
    after: statements([...after, ...properties]),
    filling: statements(filled),
    tables,
  };
}

function order(objects: readonly DumpObject[]): Order {
  try {
    return orderObjects(objects);
  } catch (reason) {
    if (reason instanceof NoOrder) throw unarchivableError(reason.message);
    throw reason;
  }
}
