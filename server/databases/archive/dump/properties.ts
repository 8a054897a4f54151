import { ME, OWN, objectRow, roleOf } from "./objects.ts";

const rights = (explodes: string) => `
  select ${roleOf("e.grantee")} as role, case when e.is_grantable then ' with grant option' else '' end as option, e.privilege_type as privilege
  from aclexplode(${explodes}) e`;

/** Privileges that differ from the defaults of the object's kind. */
export const isChanged = (acl: string, kind: string) => `(${acl} is not null and
  (select array_agg(i::text order by i::text) from unnest(${acl}) i) is distinct from
  (select array_agg(i::text order by i::text) from unnest(acldefault(${kind}, ${ME})) i))`;

const grantAgain = (on: string, acl: string) => [
  `format('revoke all on %s from public, current_user', ${on})`,
  {
    each: `select format('grant %s on %s to %s%s', string_agg(privilege, ', ' order by privilege), ${on}, role, option)
      from (${rights(acl)}) r group by role, option order by role, option`,
  },
];

const RIGHTS = 210;

const relationRights = `with ${OWN}
  select ${objectRow({
    key: "'rights/' || c.oid",
    name: "c.relname",
    rank: RIGHTS,
    sql: grantAgain(
      `format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.named)`,
      "c.relacl",
    ),
  })} from own c where ${isChanged("c.relacl", `case c.relkind when 'S' then 's'::"char" else 'r' end`)}`;

const columnRights = `with ${OWN}
  select ${objectRow({
    key: "format('rights/%s/%s', c.oid, a.attnum)",
    name: "format('%s.%s', c.relname, a.attname)",
    rank: RIGHTS + 1,
    sql: [
      {
        each: `select format('grant %s on table %s to %s%s', string_agg(format('%s (%I)', privilege, a.attname), ', ' order by privilege), c.named, role, option)
          from (${rights("a.attacl")}) r group by role, option order by role, option`,
      },
    ],
  })} from own c join pg_attribute a on a.attrelid = c.oid where a.attnum > 0 and not a.attisdropped and a.attacl is not null`;

const routineRights = `
  select ${objectRow({
    key: "'rights/' || p.oid",
    name: "p.oid::regprocedure::text",
    rank: RIGHTS,
    sql: grantAgain("format('routine %s', p.oid::regprocedure)", "p.proacl"),
  })} from pg_proc p where p.pronamespace = 'public'::regnamespace and ${isChanged("p.proacl", "'f'")}`;

const typeRights = `
  select ${objectRow({
    key: "'rights/' || t.oid",
    name: "t.typname",
    rank: RIGHTS,
    sql: grantAgain("format('type public.%I', t.typname)", "t.typacl"),
  })} from pg_type t where t.typnamespace = 'public'::regnamespace and ${isChanged("t.typacl", "'T'")}`;

const defaultRights = `
  select ${objectRow({
    key: "'pg_default_acl/' || d.oid",
    name: "format('default privileges %s %s', d.defaclnamespace, d.defaclobjtype)",
    rank: RIGHTS + 2,
    sql: [
      `case when d.defaclnamespace = 0 then format('alter default privileges revoke all on %s from public, current_user', kind) end`,
      {
        each: `select format('alter default privileges %sgrant %s on %s to %s%s', case when d.defaclnamespace = 0 then '' else 'in schema public ' end,
          string_agg(privilege, ', ' order by privilege), kind, role, option)
          from (${rights("d.defaclacl")}) r group by role, option order by role, option`,
      },
    ],
  })} from pg_default_acl d, lateral (select case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines'
    when 'T' then 'types' when 'n' then 'schemas' else 'large objects' end as kind) k where d.defaclrole = ${ME}`;

/** The name of a commented object in a statement. */
const commented = `
  select d.*, case d.classoid
    when 'pg_class'::regclass then (select case
        when d.objsubid <> 0 then format('column public.%I.%I', c.relname, a.attname)
        else format('%s public.%I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          when 'i' then 'index' when 'I' then 'index' when 'c' then 'type' else 'table' end, c.relname) end
      from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid where c.oid = d.objoid)
    when 'pg_type'::regclass then (select case t.typtype when 'd' then 'domain ' else 'type ' end || format_type(t.oid, null)
      from pg_type t where t.oid = d.objoid)
    when 'pg_proc'::regclass then (select case p.prokind
        when 'a' then format('aggregate public.%I(%s)', p.proname, coalesce(nullif(pg_get_function_identity_arguments(p.oid), ''), '*'))
        else 'routine ' || p.oid::regprocedure end from pg_proc p where p.oid = d.objoid)
    when 'pg_constraint'::regclass then (select case
        when k.contypid <> 0 then format('constraint %I on domain %s', k.conname, format_type(k.contypid, null))
        else format('constraint %I on %s', k.conname, k.conrelid::regclass) end from pg_constraint k where k.oid = d.objoid)
    when 'pg_trigger'::regclass then (select format('trigger %I on %s', t.tgname, t.tgrelid::regclass) from pg_trigger t where t.oid = d.objoid)
    when 'pg_policy'::regclass then (select format('policy %I on %s', p.polname, p.polrelid::regclass) from pg_policy p where p.oid = d.objoid)
    when 'pg_operator'::regclass then (select format('operator public.%s (%s, %s)', o.oprname,
        coalesce(format_type(nullif(o.oprleft, 0), null), 'none'), coalesce(format_type(nullif(o.oprright, 0), null), 'none'))
      from pg_operator o where o.oid = d.objoid)
    when 'pg_cast'::regclass then (select format('cast (%s as %s)', format_type(c.castsource, null), format_type(c.casttarget, null))
      from pg_cast c where c.oid = d.objoid)
    when 'pg_collation'::regclass then 'collation ' || d.objoid::regcollation
    when 'pg_conversion'::regclass then (select format('conversion public.%I', c.conname) from pg_conversion c where c.oid = d.objoid)
    when 'pg_ts_config'::regclass then 'text search configuration ' || d.objoid::regconfig
    when 'pg_ts_dict'::regclass then 'text search dictionary ' || d.objoid::regdictionary
    when 'pg_statistic_ext'::regclass then (select format('statistics public.%I', s.stxname) from pg_statistic_ext s where s.oid = d.objoid)
    end as target
  from pg_description d where d.objoid >= 16384`;

const comments = `
  select ${objectRow({
    key: "format('comment/%s/%s/%s', d.classoid, d.objoid, d.objsubid)",
    name: "d.target",
    rank: 200,
    sql: ["format('comment on %s is %L', d.target, d.description)"],
  })} from (${commented}) d where d.target is not null`;

/** Run at the end, when nothing more is created or read: a tenant may have revoked privileges from themselves. */
export const PROPERTIES = [comments, relationRights, columnRights, routineRights, typeRights, defaultRights];
