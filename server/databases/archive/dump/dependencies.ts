import type { BoundedReader } from "../read-definitions.ts";
import type { DumpObject } from "./objects.ts";

/**
 * Which object of the dump each row of a catalogue belongs to: a table's row type to the table, a view's rule to the view,
 * an index to its constraint.
 */
const MEMBERS = `
  with recursive types as (
    select t.oid, case when t.typrelid <> 0 then 'pg_class/' || t.typrelid else 'pg_type/' || t.oid end as key from pg_type t
      where t.oid >= 16384 and t.typtype <> 'm' and t.typelem = 0
    union all
    select r.rngmultitypid, 'pg_type/' || r.rngtypid from pg_range r where r.rngtypid >= 16384
  ), arrays as (
    select * from types union all select t.oid, e.key from pg_type t join types e on e.oid = t.typelem
  ), sequences as (
    select d.objid, d.refobjid from pg_depend d join pg_class c on c.oid = d.objid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'i' and c.relkind = 'S'
  )
  select 'pg_type/' || oid as name, key as definition from arrays
  union all select 'pg_class/' || objid, 'pg_class/' || refobjid from sequences
  union all select 'pg_class/' || conindid, 'pg_constraint/' || oid from pg_constraint where oid >= 16384 and contype in ('p', 'u', 'x')
  union all select 'pg_proc/' || objid, 'pg_type/' || refobjid from pg_depend
    where classid = 'pg_proc'::regclass and refclassid = 'pg_type'::regclass and deptype = 'i' and objid >= 16384
  union all select 'pg_cast/' || objid, 'pg_type/' || refobjid from pg_depend
    where classid = 'pg_cast'::regclass and refclassid = 'pg_type'::regclass and deptype = 'i' and objid >= 16384
  union all select 'pg_rewrite/' || oid, 'pg_class/' || ev_class from pg_rewrite where oid >= 16384 and rulename = '_RETURN'
  union all select 'pg_attrdef/' || d.oid, 'pg_class/' || d.adrelid from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.oid >= 16384 and a.attgenerated <> ''
  union all select 'pg_constraint/' || oid, 'pg_class/' || conrelid from pg_constraint
    where oid >= 16384 and contype = 'n' and convalidated and conrelid <> 0`;

/**
 * The dependencies between objects. Left out: a partition on its parent and a sequence on its owner, which separate
 * statements attach; and dependencies that others imply.
 */
const EDGES = `
  select case when d.classid = 'pg_type'::regclass and t.typtype = 'd' and d.refclassid not in ('pg_type'::regclass, 'pg_collation'::regclass)
      then 'default/' || d.objid else d.classid::regclass || '/' || d.objid end as name, d.refclassid::regclass || '/' || d.refobjid as definition
  from pg_depend d left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid and d.objsubid = 0
  left join pg_type t on d.classid = 'pg_type'::regclass and t.oid = d.objid
  where d.objid >= 16384 and d.refobjid >= 16384 and d.deptype not in ('P', 'S', 'e', 'x')
    and not (c.relkind is not distinct from 'S' and d.deptype in ('a', 'i'))
    and not (coalesce(c.relispartition, false) and c.relkind in ('r', 'p', 'i', 'I') and d.refclassid = 'pg_class'::regclass and exists (
      select from pg_inherits i where i.inhrelid = d.objid and i.inhparent = d.refobjid))
  group by 1, 2 order by 1, 2`;

/** Adds to each object the keys of the objects that it needs. */
export async function linkObjects(read: BoundedReader, objects: readonly DumpObject[]): Promise<void> {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const owners = new Map<string, string>();
  for await (const [member, key] of read(MEMBERS)) owners.set(member, key);
  const resolve = (key: string): string => {
    const owner = owners.get(key);
    return owner === undefined || owner === key ? key : resolve(owner);
  };
  for await (const [object, needed] of read(EDGES)) byKey.get(resolve(object))?.needs.push(needed);
  const isOther = (object: DumpObject) => (key: string) => key !== object.key && byKey.has(key);
  for (const object of objects) {
    object.needs = [...new Set(object.needs.map(resolve))].filter(isOther(object));
    object.standInNeeds = [...new Set(object.standInNeeds.map(resolve))].filter(isOther(object));
  }
}
