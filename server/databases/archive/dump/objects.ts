/** An object that a tenant has created, with the statements that recreate it. */
export interface DumpObject {
  /** Its catalogue and oid: `pg_class/16400`. */
  key: string;
  /** Its description for people; orders objects of one rank. */
  name: string;
  /** Orders objects by kind, where no dependency does. */
  rank: number;
  sql: string[];
  /** Keys of the objects that must exist before it, beside those in `pg_depend`. */
  needs: string[];
  /** The stand-in that breaks a dependency cycle and is replaced by `sql` later; null if it cannot have one. */
  standIn: string | null;
  /** Keys of the objects that the stand-in needs. */
  standInNeeds: string[];
}

/** Objects of this rank and above are created after the rows. */
export const AFTER_ROWS = 100;

/** Names are resolved in PostgreSQL's own schema only, so that the tenant's objects cannot shadow them. */
export const PINNED_PATH = "set local search_path = pg_catalog, pg_temp";
/** The search path for rows and checks: the tenant's functions may use names without a schema. */
export const TENANT_PATH = "set local search_path = public";

/** The tenant's own role. */
export const ME = "quote_ident(current_user)::regrole::oid";

/** Returns a role's name in a statement: the tenant's own role has another name in each database. */
export const roleOf = (role: string) =>
  `case ${role} when 0 then 'public' when ${ME} then 'current_user' else ${role}::regrole::text end`;

/** The relations of the schema `public`, with their quoted names. */
export const OWN = `own as (
  select c.*, format('public.%I', c.relname) as named from pg_class c where c.relnamespace = 'public'::regnamespace)`;

/** A list of options as a WITH clause has them, or null. */
export const optionsOf = (options: string, prefix = "") =>
  `(select string_agg(format('${prefix}%I=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ') from unnest(${options}) o)`;

/** ` collate …` where it is not the type's own. */
export const collationOf = (collation: string, ofType: string) =>
  `case when ${collation} <> ${ofType} then ' collate ' || ${collation}::regcollation else '' end`;

/** An SQL expression for one text, left out if null, or a query for many. */
type Texts = string | { each: string };

const listOf = (texts: readonly Texts[]) =>
  texts.length === 0
    ? "'[]'::jsonb"
    : `to_jsonb(array_remove(${texts.map((text) => (typeof text === "string" ? `array[${text}]::text[]` : `array(${text.each})`)).join(" || ")}, null))`;

/** Returns the select list of this folder's queries: a `DumpObject`, each field by an SQL expression. */
export function objectRow(fields: {
  key: string;
  name: string;
  rank: number | string;
  sql: readonly Texts[];
  needs?: readonly Texts[];
  standIn?: string;
  standInNeeds?: string;
}): string {
  const { key, name, rank, sql, needs = [], standIn = "null", standInNeeds = "'[]'::jsonb" } = fields;
  return `jsonb_build_object('key', ${key}, 'name', ${name}, 'rank', ${rank}, 'sql', ${listOf(sql)}, 'needs', ${listOf(needs)},
    'standIn', ${standIn}, 'standInNeeds', ${standInNeeds})::text as definition, ${name} as name`;
}
