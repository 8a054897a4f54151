import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import { wholeText } from "#db/columns.ts";
import { anyOf } from "#db/conditions.ts";
import { members, users } from "#db/schema/accounts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { contacts } from "#db/schema/contacts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { idOf, toUuid, uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { patternOf } from "#server/operation/matching.ts";
import type { Found } from "./schema.ts";
import { type Source, sourcesFor } from "./sources.ts";
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
  const found = await execute(
    db,
    ranges.flatMap((range) => byId(caller, range)),
  );
  return ranges.flatMap(({ first }) => found.find(({ id }) => id === first) ?? []);
}

/** Returns the resources of the caller's account that match a term, each once, in no order. */
export async function find(db: Db | Transaction, caller: Caller, term: Term): Promise<Found[]> {
  const sources = sourcesFor(caller.scopes);
  const exact = [
    ...(term.ids ? byId(caller, term.ids) : []),
    ...(term.requestId ? byRequest(caller, term.requestId) : []),
    ...sources.flatMap((source) => byValue(source, caller, term)),
  ];
  const named = sources.flatMap((source) => byText(source, caller, term));
  const rows = await execute(db, [...exact, ...named, membersNamed(caller, term.text)]);
  return [...new Map(rows.map((row) => [`${row.kind} ${row.id}`, row])).values()];
}

async function execute(db: Db | Transaction, parts: readonly SQL[]): Promise<Found[]> {
  if (parts.length === 0) return [];
  const rows = await db.execute<Row>(sql.join([...parts], sql` union all `));
  return rows.map(({ kind, id, label, detail, parent }) => {
    const source = sourceOf(kind);
    return {
      kind,
      id: kind === "request" ? id : idOf(kind as "member", id),
      label,
      detail,
      parentId: parent && source?.parent ? idOf(source.parent.kind, parent) : null,
    };
  });
}

const everySource = sourcesFor([
  "projects:read",
  "api_keys:manage",
  "wallets:read",
  "runs:read",
  "connections:read",
  "files:read",
  "webhooks:read",
  "approvals:read",
  "artifacts:read",
  "trading:read",
  "databases:read",
  "audit:read",
]);
const sourceOf = (kind: Found["kind"]) => everySource.find((source) => source.kind === kind);

/** Selects rows of a source as `Row`; `rows` may replace the table, under its name. */
function select(source: Source, condition: SQL, limit: number, rows: SQL = sql`${source.table}`): SQL {
  const { columns, label, detail, parent } = source;
  return sql`(select ${source.kind} as kind, ${columns.id}::text as id, left(${label}, 300) as label, left(${detail}, 300) as detail,
    ${parent ? sql`${parent.id}::text` : sql`null`} as parent from ${rows} where ${condition} limit ${limit})`;
}

/** Returns the condition that restricts a query to what the caller sees. */
function mine({ columns }: Source, { accountId, project, endUser }: Caller): SQL {
  const parts = [sql`${columns.accountId} = ${toUuid("account", accountId)}::uuid`];
  if (project && columns.projectId)
    parts.push(sql`${columns.projectId} = ${toUuid("project", project.id)}::uuid`);
  if (endUser && columns.endUserId)
    parts.push(endUser.id ? sql`${columns.endUserId} = ${uuidOf("endUser", endUser.id)}::uuid` : sql`false`);
  return sql.join(parts, sql` and `);
}

function byId(caller: Caller, { kind, first, last }: IdRange): SQL[] {
  if (kind === "member") return [membersWith(caller, sql`${members.id} = ${uuidOf(kind, first)}::uuid`)];
  const source = sourcesFor(caller.scopes).find((one) => one.kind === kind);
  if (!source) return [];
  const { id } = source.columns;
  const within = sql`${id} between ${toUuid(kind, first)}::uuid and ${toUuid(kind, last)}::uuid`;
  return [select(source, sql`${mine(source, caller)} and ${within}`, ALIKE)];
}

function byRequest(caller: Caller, requestId: string): SQL[] {
  const source = sourcesFor(caller.scopes).find(({ kind }) => kind === "auditEvent");
  if (!source) return [];
  return [
    sql`(select 'request' as kind, ${auditEvents.requestId} as id, ${auditEvents.operation} as label, ${auditEvents.outcome} as detail,
      null as parent from ${auditEvents} where ${mine(source, caller)} and ${auditEvents.requestId} = ${requestId} limit 1)`,
  ];
}

/** Finds rows by a unique value: a hash, an address, the beginning of a secret. */
function byValue(source: Source, caller: Caller, { hash, address, keyPrefix }: Term): SQL[] {
  const { kind } = source;
  const values = [
    kind === "transaction" && hash && sql`${walletTransactions.hash} = ${hash}`,
    kind === "transaction" &&
      hash &&
      sql`${walletTransactions.id} in (select ${transactionAttempts.transactionId} from ${transactionAttempts}
        where ${transactionAttempts.accountId} = ${toUuid("account", caller.accountId)}::uuid and ${transactionAttempts.hash} = ${hash})`,
    kind === "wallet" && address && sql`${wallets.address} = ${address}`,
    kind === "contact" && address && sql`${contacts.address} = ${address}`,
    kind === "apiKey" && keyPrefix && sql`${apiKeys.prefix} = ${keyPrefix}`,
  ];
  return values.flatMap((value) =>
    value ? [select(source, sql`${mine(source, caller)} and ${value}`, ALIKE)] : [],
  );
}

/** Finds rows that contain the text: among the newest rows, and older ones by an index. */
function byText(source: Source, caller: Caller, { text, indexed }: Term): SQL[] {
  const own = mine(source, caller);
  const texts = [...(source.indexed ?? []), ...(source.others ?? [])];
  if (texts.length === 0) return [];
  const newest = sql`(select * from ${source.table} where ${own} order by ${source.columns.id} desc limit ${NEWEST}) as ${source.table}`;
  const fits = (column: PgColumn, pattern: string) => sql`${column} ilike ${pattern}`;
  const anywhere = patternOf(text);
  const fitting = anyOf(sql`false`, ...texts.map((column) => fits(column, anywhere)));
  // Evaluated once, beforehand: an index finds a text slowly that most rows contain.
  const few = sql`(select count(*) < ${OLDER} from ${newest} where ${fitting})`;
  return [
    select(source, fitting, OLDER, newest),
    ...(source.indexed ?? []).flatMap((column) => [
      select(
        source,
        sql`${own} and ${column} is not null and ${wholeText(column)} = ${wholeText(sql`${text}`)}`,
        ALIKE,
      ),
      ...indexed.map((pattern) =>
        select(source, sql`${few} and ${own} and ${column} is not null and ${fits(column, pattern)}`, OLDER),
      ),
    ]),
  ];
}

const membersNamed = (caller: Caller, text: string) =>
  membersWith(
    caller,
    sql`(${users.name} ilike ${patternOf(text)} or ${users.email} ilike ${patternOf(text)})`,
  );

/** Selects members of the account, whom every member may see. */
function membersWith({ accountId }: Caller, condition: SQL): SQL {
  return sql`(select 'member' as kind, ${members.id}::text as id, ${users.name} as label, ${users.email} as detail, null as parent
    from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.accountId} = ${toUuid("account", accountId)}::uuid and ${condition} limit ${OLDER})`;
}
