import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import { idEnd, idText, wholeText } from "#db/columns.ts";
import { anyOf } from "#db/conditions.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { patternOf } from "#server/operation/matching.ts";
import { byValue } from "./by-value.ts";
import { appsNamed, membersBetween, membersNamed } from "./people.ts";
import type { Found } from "./schema.ts";
import { mine, select } from "./select.ts";
import { shownBy } from "./shown-by.ts";
import type { Source } from "./source.ts";
import { sources, sourcesFor } from "./sources.ts";
import type { IdRange, Term } from "./term.ts";

/** How many of the newest rows of a table are searched, for any term. */
const NEWEST = 500;
/** How many older rows are found by an index. */
const OLDER = 20;
/** How many ids of a kind with the same prefix are returned. */
const ALIKE = 10;

interface Row extends Record<string, unknown> {
  kind: Found["kind"];
  id: string;
  label: string;
  detail: string | null;
  parent: string | null;
}

/** Returns the resources of the caller's account with these ids, in the same order. */
export async function findIds(
  db: Db | Transaction,
  caller: Caller,
  ranges: readonly IdRange[],
): Promise<Found[]> {
  if (ranges.length === 0) return [];
  const found = await execute(
    db,
    ranges.flatMap((range) => byId(caller, range)),
  );
  return ranges.flatMap(({ first }) => found.find(({ id }) => id === first) ?? []);
}

/** Returns the resources of the caller's account that match a term, each once, in no order. */
export async function find(db: Db | Transaction, caller: Caller, term: Term): Promise<Found[]> {
  const searched = sourcesFor(caller);
  const rows = await execute(db, [
    ...term.ids.flatMap((range) => byId(caller, range)),
    ...(term.requestId ? byRequest(caller, term.requestId) : []),
    ...searched.flatMap((source) => [
      ...byValue(source, caller, term),
      ...byIdPart(source, caller, term),
      ...byText(source, caller, term),
    ]),
    ...membersNamed(caller, term),
    ...appsNamed(caller, term),
  ]);
  const shownAs = await findIds(db, caller, await shownBy(db, caller, term.ids));
  return [...new Map([...shownAs, ...rows].map((row) => [`${row.kind} ${row.id}`, row])).values()];
}

async function execute(db: Db | Transaction, parts: readonly SQL[]): Promise<Found[]> {
  if (parts.length === 0) return [];
  const rows = await db.execute<Row>(sql.join([...parts], sql` union all `));
  return rows.map(({ kind, id, label, detail, parent }) => {
    const source = sourceOf(kind);
    return {
      kind,
      id: kind === "request" || kind === "app" ? id : idOf(kind as "member", id),
      label,
      detail,
      parentId: parent && source?.parent ? idOf(source.parent.kind, parent) : null,
    };
  });
}

const sourceOf = (kind: Found["kind"]) => sources.find((source) => source.kind === kind);

function byId(caller: Caller, { kind, first, last }: IdRange): SQL[] {
  if (kind === "member") return [membersBetween(caller, first, last)];
  const source = sourcesFor(caller).find((one) => one.kind === kind);
  if (!source) return [];
  const { id } = source.columns;
  const within = sql`${id} between ${toUuid(kind, first)}::uuid and ${toUuid(kind, last)}::uuid`;
  return [select(source, sql`${mine(source, caller)} and ${within}`, ALIKE)];
}

function byRequest(caller: Caller, requestId: string): SQL[] {
  const source = sourcesFor(caller).find(({ kind }) => kind === "auditEvent");
  if (!source) return [];
  return [
    sql`(select 'request' as kind, ${auditEvents.requestId} as id, ${auditEvents.operation} as label, ${auditEvents.outcome} as detail,
      null as parent from ${auditEvents} where ${mine(source, caller)} and ${auditEvents.requestId} = ${requestId} limit 1)`,
  ];
}

/** Finds rows by any part of their id that an index has. */
function byIdPart(source: Source, caller: Caller, { idPart }: Term): SQL[] {
  const { partsOf, columns } = source;
  if (!idPart || !partsOf || (idPart.kind !== null && idPart.kind !== source.kind)) return [];
  const fits = sql`${idText(columns.id)} like ${idPart.pattern}`;
  const own = mine(source, caller);
  if (partsOf === "all") return [select(source, sql`${own} and ${fits}`, OLDER)];
  const newest = select(source, fits, OLDER, newestOf(source, caller));
  if (idPart.end === null) return [newest];
  return [newest, select(source, sql`${own} and ${idEnd(columns.id)} = ${idPart.end} and ${fits}`, OLDER)];
}

const newestOf = (source: Source, caller: Caller) =>
  sql`(select * from ${source.table} where ${mine(source, caller)} order by ${source.columns.id} desc limit ${NEWEST}) as ${source.table}`;

/** Finds rows that contain the text: among the newest rows, and older ones by an index. */
function byText(source: Source, caller: Caller, { text, indexed, hexPart }: Term): SQL[] {
  const { hex = [], indexed: named = [], others = [] } = source;
  const own = mine(source, caller);
  const anywhere = patternOf(text);
  const fits = (column: PgColumn, pattern: string) => sql`${column} ilike ${pattern}`;
  const compared = [
    ...[...named, ...others].map((column) => fits(column, anywhere)),
    ...hex.flatMap((column) => (hexPart ? fits(column, hexPart) : [])),
  ];
  if (compared.length === 0) return [];
  const newest = newestOf(source, caller);
  const fitting = anyOf(sql`false`, ...compared);
  // Evaluated once, beforehand: an index finds a text slowly that most rows contain.
  const few = sql`(select count(*) < ${OLDER} from ${newest} where ${fitting})`;
  const older = (condition: SQL) => select(source, sql`${few} and ${own} and ${condition}`, OLDER);
  return [
    select(source, fitting, OLDER, newest),
    ...named.flatMap((column) => [
      select(
        source,
        sql`${own} and ${column} is not null and ${wholeText(column)} = ${wholeText(sql`${text}`)}`,
        ALIKE,
      ),
      ...indexed.map((pattern) => older(sql`${column} is not null and ${fits(column, pattern)}`)),
    ]),
    ...(source.partsOf === "all" && hexPart ? hex.map((column) => older(fits(column, hexPart))) : []),
  ];
}
