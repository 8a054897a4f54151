import { roleOf } from "../dump/objects.ts";
import { isChanged } from "../dump/properties.ts";

export const nameOf = (catalogue: string, oid: string, column = "0") =>
  `pg_describe_object('${catalogue}'::regclass, ${oid}, ${column})`;

/** The row itself, so that what PostgreSQL adds to it is compared too, without the columns that say so elsewhere or not at all. */
export const rowOf = (row: string, ...without: string[]) =>
  `to_jsonb(${row}) - array[${without.map((name) => `'${name}'`)}]`;

export const rightsOf = (acl: string, kind: string) => `case when ${isChanged(acl, kind)} then (
  select coalesce(jsonb_agg(format('%s to %s by %s%s', e.privilege_type, ${roleOf("e.grantee")}, ${roleOf("e.grantor")},
    case when e.is_grantable then ' with grant option' else '' end) order by e.privilege_type, ${roleOf("e.grantee")}), '[]') from aclexplode(${acl}) e) end`;

export const sorted = (list: string) => `(select jsonb_agg(o order by o) from unnest(${list}) o)`;
export const isOwnRelation = "c.relnamespace = 'public'::regnamespace";
/** What a foreign key has for each partition of the table that it refers to is made and named by PostgreSQL. */
export const isClone = (constraint: string) =>
  `exists (select from pg_constraint clone join pg_constraint parent on parent.oid = clone.conparentid and parent.conrelid = clone.conrelid
    where clone.oid = ${constraint} and clone.contype = 'f')`;
