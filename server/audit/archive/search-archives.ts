import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { auditArchives } from "#db/schema/audit.ts";
import { idOf, NIL_UUID, timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { outcomeOf } from "../outcomes.ts";
import type { Archive } from "./archive-store.ts";
import type { ArchivedLine } from "./archived-line.ts";
import { requestMark } from "./archived-line.ts";
import { readableEvents } from "./readable-events.ts";

/** The filters of a list of events. */
export interface EventFilter {
  operation?: string | undefined;
  outcome?: string | undefined;
  status?: number | undefined;
  keyId?: string | undefined;
  projectId?: string | undefined;
  endUserId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  requestId?: string | undefined;
  /** Operations whose allowed calls by members are left out. */
  leftOut: readonly string[];
}

export interface SearchedArchives {
  /** Newest first. */
  lines: ArchivedLine[];
  /** Events with this id or a lower one were not searched; null if all were. */
  searchedTo: string | null;
}

/** The limits of one search: rows that it looks at, archives that it reads, and its time. */
const MAX_ROWS = 5000;
const MAX_READ = 24;
const MAX_MS = 1500;
/** How far the clock that made a request's id can be ahead of the clock that made its event's id. */
const CLOCKS_MS = 5000;

/** Finds events with ids below `before` in the account's archives, until `wanted` are found. */
export async function searchArchives(
  db: Db | Transaction,
  caller: Caller,
  filter: EventFilter,
  { before, wanted }: { before: string; wanted: number },
): Promise<SearchedArchives> {
  const found: SearchedArchives = { lines: [], searchedTo: null };
  if (caller.endUser && !caller.endUser.id) return found;
  if (filter.requestId !== undefined && uuidOf("request", filter.requestId) === null) return found;
  const floor = filter.from === undefined ? "" : idAt(filter.from);
  const ceiling = filter.to === undefined ? before : ([before, idAt(filter.to)].sort()[0] ?? before);
  const started = performance.now();
  for (const [place, archive] of (await archivesOf(db, caller, filter, ceiling)).entries()) {
    const isEnough = found.lines.filter(({ event }) => event.id > archive.lastId).length >= wanted;
    // One archive is always read, so that a page that takes longer than the limit still leads to the next one.
    const isOver = place >= MAX_READ || (place > 0 && performance.now() - started > MAX_MS);
    if (isEnough || isOver || !archive.fits) return sorted({ ...found, searchedTo: archive.lastId });
    const lines = await readableEvents(archive);
    found.lines.push(
      ...lines.filter(
        (line) => line.event.id >= floor && line.event.id < ceiling && fits(line, caller, filter),
      ),
    );
  }
  return sorted(found);
}

function sorted(found: SearchedArchives): SearchedArchives {
  return { ...found, lines: found.lines.toSorted((a, b) => (a.event.id < b.event.id ? 1 : -1)) };
}

/** Returns the first id of a moment, as `uuid_floor` does. */
function idAt(moment: string): string {
  const time = Math.max(Date.parse(moment), 0).toString(16).padStart(12, "0");
  return idOf("auditEvent", `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`);
}

type Candidate = Archive & { fits: boolean };
type CandidateRow = Omit<Candidate, "accountId"> & Record<string, unknown>;

/**
 * Returns the archives that may have matching events, newest first. If the limit of rows ends the search, the last row is
 * in the list with `fits` false.
 */
async function archivesOf(
  db: Db | Transaction,
  { accountId, project, endUser }: Caller,
  filter: EventFilter,
  before: string,
): Promise<Candidate[]> {
  const facets = Object.entries({
    operation: filter.operation,
    outcome: filter.outcome ?? (filter.status === undefined ? undefined : outcomeOf(filter.status)),
    actor: filter.keyId,
    project: filter.projectId,
    endUser: filter.endUserId,
  });
  if (project) facets.push(["project", project.id]);
  if (endUser?.id) facets.push(["endUser", endUser.id]);
  const wanted: SQL[] = facets.flatMap(([kind, value]) =>
    value === undefined ? [] : sql`facets && array[${`${kind}:${value}`}, ${`${kind}:*`}]`,
  );
  const request = filter.requestId && requestMark(filter.requestId).toString("hex");
  if (request) wanted.push(sql`position(decode(${request}, 'hex') in requests) > 0`);
  // A request's events come after the time in its id: the first archives after that are searched, not the newest ones.
  const since = filter.requestId && timeOf(toUuid("request", filter.requestId)).getTime() - CLOCKS_MS;
  const from = [since ? new Date(since).toISOString() : undefined, filter.from].filter(
    (at) => at !== undefined,
  );
  const rows = sql`
    select *, row_number() over () as place, ${allOf(sql`true`, ...wanted)} as fits from (
      select * from ${auditArchives}
      where account_id = ${toUuid("account", accountId)} and first_id < ${toUuid("auditEvent", before)}
        ${from.length > 0 ? sql`and last_id >= uuid_floor(${from.toSorted().at(-1)}::timestamptz)` : sql``}
      order by last_id ${request ? sql`asc` : sql`desc`} limit ${MAX_ROWS}) near`;
  const candidates = await db.execute<CandidateRow>(sql`
    select first_sequence::float8 as "firstSequence", last_sequence::float8 as "lastSequence", first_id as "firstId",
      last_id as "lastId", blob_key as "blobKey", size_bytes as "sizeBytes", sha256, fits
    from (${rows}) looked where fits or ${!request} and place = ${MAX_ROWS}
    order by last_id desc limit ${MAX_READ + 1}`);
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
    (filter.operation === undefined || operation === filter.operation) &&
    (filter.outcome === undefined || outcome === filter.outcome) &&
    (filter.status === undefined || status === filter.status) &&
    (filter.keyId === undefined || (actor.type === "key" && actor.id === filter.keyId)) &&
    (filter.projectId === undefined || event.projectId === filter.projectId) &&
    (filter.endUserId === undefined || kept.endUserId === filter.endUserId) &&
    (filter.requestId === undefined || event.requestId === filter.requestId) &&
    (!project || event.projectId === project.id) &&
    (!endUser || kept.endUserId === endUser.id) &&
    !(actor.type === "member" && outcome === "allowed" && filter.leftOut.includes(operation))
  );
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
  const search = { before: idAt(to), wanted: Number.POSITIVE_INFINITY };
  const { lines } = await searchArchives(db, caller, { from, to, leftOut: [] }, search);
  return lines.find(({ event }) => event.id === eventId) ?? null;
}
