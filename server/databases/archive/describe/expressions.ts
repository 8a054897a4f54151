import { roleOf } from "../dump/objects.ts";
import { isChanged } from "../dump/properties.ts";

export const nameOf = (catalogue: string, oid: string, column = "0") =>
  `pg_describe_object('${catalogue}'::regclass, ${oid}, ${column})`;

/**
 * The catalogue row itself, so that columns of later PostgreSQL versions are compared too, without the columns that are
 * described elsewhere or not at all.
 */
export const rowOf = (row: string, ...without: string[]) =>
  `to_jsonb(${row}) - array[${without.map((name) => `'${name}'`)}]`;

export const rightsOf = (acl: string, kind: string) => `case when ${isChanged(acl, kind)} then (
  select coalesce(jsonb_agg(format('%s to %s by %s%s', e.privilege_type, ${roleOf("e.grantee")}, ${roleOf("e.grantor")},
    case when e.is_grantable then ' with grant option' else '' end) order by e.privilege_type, ${roleOf("e.grantee")}), '[]') from aclexplode(${acl}) e) end`;

export const sorted = (list: string) => `(select jsonb_agg(o order by o) from unnest(${list}) o)`;
export const isOwnRelation = "c.relnamespace = 'public'::regnamespace";
/**
 * True for the clones of a foreign key, which PostgreSQL creates and names for each partition of the referenced table.
 */
export const isClone = (constraint: string) =>
  `exists (select from pg_constraint clone join pg_constraint parent on parent.oid = clone.conparentid and parent.conrelid = clone.conrelid
    where clone.oid = ${constraint} and clone.contype = 'f')`;
