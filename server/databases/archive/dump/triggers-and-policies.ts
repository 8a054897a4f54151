import { OWN, objectRow, roleOf } from "./objects.ts";

const firing = (mode: string) =>
  `case ${mode} when 'D' then 'disable' when 'A' then 'enable always' when 'R' then 'enable replica' else 'enable' end`;

const triggers = `with ${OWN}
  select ${objectRow({
    key: "'pg_trigger/' || t.oid",
    name: "format('trigger %s of %s', t.tgname, c.relname)",
    rank: 140,
    sql: [
      "pg_get_triggerdef(t.oid)",
      `case when t.tgenabled <> 'O' then format('alter table only %s %s trigger %I', c.named, ${firing("t.tgenabled")}, t.tgname) end`,
    ],
    needs: ["'pg_class/' || c.oid"],
  })} from own c join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal and t.tgparentid = 0`;

const triggerPartitions = `with ${OWN}
  select ${objectRow({
    key: "'firing/' || t.oid",
    name: "format('trigger %s of %s', t.tgname, c.relname)",
    rank: 141,
    sql: [`format('alter table only %s %s trigger %I', c.named, ${firing("t.tgenabled")}, t.tgname)`],
  })} from own c join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal and t.tgparentid <> 0 and t.tgenabled <> 'O'`;

const rowSecurity = `with ${OWN}
  select ${objectRow({
    key: "'security/' || c.oid",
    name: "'row security of ' || c.relname",
    rank: 145,
    sql: ["format('alter table %s enable row level security', c.named)"],
  })} from own c where c.relrowsecurity`;

const policies = `with ${OWN}
  select ${objectRow({
    key: "'pg_policy/' || p.oid",
    name: "format('policy %s of %s', p.polname, c.relname)",
    rank: 146,
    sql: [
      `format('create policy %I on %s as %s for %s to %s%s%s', p.polname, c.named,
      case when p.polpermissive then 'permissive' else 'restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(${roleOf("r")}, ', ' order by ${roleOf("r")}) from unnest(p.polroles) r),
      ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')`,
    ],
    needs: ["'pg_class/' || c.oid"],
  })} from own c join pg_policy p on p.polrelid = c.oid`;

/** Triggers, rules and row security of tables. */
export const TRIGGERS_AND_POLICIES = [triggers, triggerPartitions, rowSecurity, policies];
