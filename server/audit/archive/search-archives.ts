import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { auditArchives } from "#db/schema/audit.ts";
import { idOf, NIL_UUID, timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { comesBefore } from "#server/operation/page.ts";
import { floorOf } from "#server/operation/period.ts";
import { outcomeOf } from "../outcomes.ts";
import type { Archive } from "./archive-store.ts";
import type { ArchivedLine } from "./archived-line.ts";
import { requestMark } from "./archived-line.ts";
import { readableEvents } from "./readable-events.ts";

/** The filters of a list of events. */
export interface EventFilter {
  operations?: readonly string[] | undefined;
  outcome?: string | undefined;
  status?: number | undefined;
  keyId?: string | undefined;
  memberId?: string | undefined;
  projectId?: string | undefined;
  endUserId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  requestId?: string | undefined;
  /** Operations whose allowed calls by members are left out. */
  leftOut: readonly string[];
}

interface Search {
  /** Only events after this id, in the order of the search, are found. */
  start: string;
  wanted: number;
  isDescending: boolean;
}

export interface SearchedArchives {
  lines: ArchivedLine[];
  /** The event with this id and those after it, in the order of the search, were not searched; null if all were. */
  searchedTo: string | null;
}

/** The limits of one search: rows that it looks at, archives that it reads, and its time. */
const MAX_ROWS = 5000;
const MAX_READ = 24;
const MAX_MS = 1500;
/** How far the clock that made a request's id can be ahead of the clock that made its event's id. */
const CLOCKS_MS = 5000;

/** Finds events in the account's archives, until `wanted` are found. */
export async function searchArchives(
  db: Db | Transaction,
  caller: Caller,
  filter: EventFilter,
  search: Search,
): Promise<SearchedArchives> {
  const { start, wanted, isDescending } = search;
  const found: SearchedArchives = { lines: [], searchedTo: null };
  if (caller.endUser && !caller.endUser.id) return found;
  if (filter.requestId !== undefined && uuidOf("request", filter.requestId) === null) return found;
  const floor = filter.from === undefined ? "" : idAt(filter.from);
  const ceiling = filter.to && idAt(filter.to);
  const started = performance.now();
  for (const [place, archive] of (await archivesOf(db, caller, filter, search)).entries()) {
    const next = isDescending ? archive.lastId : archive.firstId;
    const sure = found.lines.filter(({ event }) => comesBefore(event.id, next, isDescending));
    // One archive is always read, so that a page that takes longer than the limit still leads to the next one.
    const isOver = place >= MAX_READ || (place > 0 && performance.now() - started > MAX_MS);
    if (sure.length >= wanted || isOver || !archive.fits) return { ...found, searchedTo: next };
    const lines = await readableEvents(archive);
    found.lines.push(
      ...lines.filter(
        (line) =>
          line.event.id >= floor &&
          (!ceiling || line.event.id < ceiling) &&
          comesBefore(start, line.event.id, isDescending) &&
          fits(line, caller, filter),
      ),
    );
  }
  return found;
}

/** Returns the first id of a moment, as `uuid_floor` does. */
function idAt(moment: string): string {
  const time = Math.max(Date.parse(moment), 0).toString(16).padStart(12, "0");
  return idOf("auditEvent", `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`);
}

type Candidate = Archive & { fits: boolean };
type CandidateRow = Omit<Candidate, "accountId"> & Record<string, unknown>;

/**
 * Returns the archives that may have matching events, in the order of the search. If the limit of rows ends the search,
 * the last row is in the list with `fits` false.
 */
async function archivesOf(
  db: Db | Transaction,
  { accountId, project, endUser }: Caller,
  filter: EventFilter,
  { start, isDescending }: Search,
): Promise<Candidate[]> {
  const outcome = filter.outcome ?? (filter.status === undefined ? undefined : outcomeOf(filter.status));
  const facets: [kind: string, values: readonly (string | null | undefined)[] | undefined][] = [
    ["operation", filter.operations],
    ["outcome", [outcome]],
    ["actor", [filter.keyId]],
    ["actor", [filter.memberId]],
    ["project", [filter.projectId]],
    ["endUser", [filter.endUserId]],
    ["project", [project?.id]],
    ["endUser", [endUser?.id]],
  ];
  const wanted: SQL[] = facets.flatMap(([kind, values = []]) => {
    const named = values.filter((value) => value !== undefined && value !== null);
    if (named.length === 0) return [];
    return sql`facets && ${sql.param([...named, "*"].map((value) => `${kind}:${value}`))}::text[]`;
  });
  const request = filter.requestId && requestMark(filter.requestId).toString("hex");
  if (request) wanted.push(sql`position(decode(${request}, 'hex') in requests) > 0`);
  // A request's events come after the time in its id: the first archives after that are searched, not the newest ones.
  const since = filter.requestId && timeOf(toUuid("request", filter.requestId)).getTime() - CLOCKS_MS;
  const from = [since ? new Date(since).toISOString() : undefined, filter.from].filter(
    (at) => at !== undefined,
  );
  const order = isDescending ? sql`last_id desc` : sql`first_id`;
  const rows = sql`
    select *, row_number() over () as place, ${allOf(sql`true`, ...wanted)} as fits from (
      select * from ${auditArchives}
      where account_id = ${toUuid("account", accountId)}
        and ${isDescending ? sql`first_id <` : sql`last_id >`} ${toUuid("auditEvent", start)}
        ${filter.to === undefined ? sql`` : sql`and first_id < uuid_floor(${filter.to}::timestamptz)`}
        ${from.length > 0 ? sql`and last_id >= uuid_floor(${from.toSorted().at(-1)}::timestamptz)` : sql``}
      order by ${request && isDescending ? sql`last_id` : order} limit ${MAX_ROWS}) near`;
  const candidates = await db.execute<CandidateRow>(sql`
    select first_sequence::float8 as "firstSequence", last_sequence::float8 as "lastSequence", first_id as "firstId",
      last_id as "lastId", blob_key as "blobKey", size_bytes as "sizeBytes", sha256, fits
    from (${rows}) looked where fits or ${!request} and place = ${MAX_ROWS}
    order by ${order} limit ${MAX_READ + 1}`);
  return candidates.map((row) => ({
    ...row,
    accountId,
    firstId: idOf("auditEvent", row.firstId),
    lastId: idOf("auditEvent", row.lastId),
  }));
}

function fits({ event, kept }: ArchivedLine, { project, endUser }: Caller, filter: EventFilter): boolean {
  const { actor, operation, outcome, status } = event;
  return (
    (filter.operations === undefined || filter.operations.includes(operation)) &&
    (filter.outcome === undefined || outcome === filter.outcome) &&
    (filter.status === undefined || status === filter.status) &&
    (filter.keyId === undefined || (actor.type === "key" && actor.id === filter.keyId)) &&
    (filter.memberId === undefined || (actor.type === "member" && actor.id === filter.memberId)) &&
    (filter.projectId === undefined || event.projectId === filter.projectId) &&
    (filter.endUserId === undefined || kept.endUserId === filter.endUserId) &&
    (filter.requestId === undefined || event.requestId === filter.requestId) &&
    (!project || event.projectId === project.id) &&
    (!endUser || kept.endUserId === endUser.id) &&
    !(actor.type === "member" && outcome === "allowed" && filter.leftOut.includes(operation))
  );
}

/** True if the account has archives of the period. */
export async function hasArchives(
  db: Db | Transaction,
  { accountId }: Caller,
  { from, to }: Pick<EventFilter, "from" | "to">,
): Promise<boolean> {
  const found = await db
    .select({ sequence: auditArchives.firstSequence })
    .from(auditArchives)
    .where(
      and(
        eq(auditArchives.accountId, accountId),
        from === undefined ? undefined : gte(auditArchives.lastId, floorOf(from)),
        to === undefined ? undefined : lt(auditArchives.firstId, floorOf(to)),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Returns the archived event with this id if the caller sees it. */
export async function findArchived(
  db: Db | Transaction,
  caller: Caller,
  eventId: string,
): Promise<ArchivedLine | null> {
  const uuid = toUuid("auditEvent", eventId);
  if (uuid === NIL_UUID) return null;
  const at = timeOf(uuid);
  const from = at.toISOString();
  const to = new Date(at.getTime() + 1).toISOString();
  const search = { start: idAt(to), wanted: Number.POSITIVE_INFINITY, isDescending: true };
  const { lines } = await searchArchives(db, caller, { from, to, leftOut: [] }, search);
  return lines.find(({ event }) => event.id === eventId) ?? null;
}
