import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, NIL_UUID } from "#server/base/ids.ts";
import { createPolling } from "#server/base/polling.ts";
import { digestOf, formOf, genesisOf, hashOfForm, PERSONAL_FIELDS, SALT_BYTES } from "./chain.ts";
import { actorIdOf } from "./queries.ts";
import type { AuditEvent } from "./schema.ts";

/** An event as returned by `take_pending`; ids are UUIDs. */
interface Pending extends Omit<AuditEvent, "actor" | "sequence" | "previousHash" | "hash"> {
  accountId: string;
  actorType: AuditEvent["actor"]["type"];
  actorId: string | null;
  actorLabel: string | null;
}

interface Batch {
  events: Pending[] | null;
  heads: Record<string, { sequence: number; hash: string }> | null;
}

// A few milliseconds of work, so that a process that also answers requests does not delay them.
const BATCH = 500;
const PAUSE_MS = 250;
const STATEMENT_MS = 20_000;
const SALTS_BYTES = SALT_BYTES * PERSONAL_FIELDS.length;

/** Returns a function that encodes each id once: most events of a batch share a few callers and projects. */
function memo(encode: (uuid: string) => string): (uuid: string) => string {
  const known = new Map<string, string>();
  return (uuid) => {
    const id = known.get(uuid) ?? encode(uuid);
    known.set(uuid, id);
    return id;
  };
}

/** Computes each event's sequence, salts and hashes in its account's chain; the n-th result is the n-th event's. */
function chain(events: Pending[], heads: NonNullable<Batch["heads"]>) {
  const salts = randomBytes(events.length * SALTS_BYTES);
  const previous = Buffer.alloc(events.length * 32);
  const hashes = Buffer.alloc(events.length * 32);
  const projectId = memo((uuid) => idOf("project", uuid));
  const actorIds = { key: memo(keyOf("key")), member: memo(keyOf("member")), system: memo(keyOf("system")) };
  const sequences: number[] = [];
  let account = "";
  let head = { sequence: 0, hash: "" };
  for (const [index, pending] of events.entries()) {
    const { accountId, actorType, actorId, actorLabel, ...facts } = pending;
    if (accountId !== account) {
      account = accountId;
      head = heads[accountId] ?? { sequence: 0, hash: genesisOf(idOf("account", accountId)) };
    }
    const digest = (place: number, value: string | null) => {
      const start = index * SALTS_BYTES + place * SALT_BYTES;
      return value === null ? null : digestOf(salts.subarray(start, start + SALT_BYTES), value);
    };
    const form = formOf({
      ...facts,
      id: idOf("auditEvent", facts.id),
      at: new Date(facts.at).toISOString(),
      // The numbers are the fields' positions in PERSONAL_FIELDS.
      actor: { type: actorType, id: actorId && actorIds[actorType](actorId), label: digest(0, actorLabel) },
      ip: digest(1, facts.ip),
      userAgent: digest(2, facts.userAgent),
      endUser: digest(3, facts.endUser),
      projectId: facts.projectId && projectId(facts.projectId),
      sequence: head.sequence + 1,
      previousHash: head.hash,
    });
    previous.write(head.hash, index * 32, "hex");
    head = { sequence: head.sequence + 1, hash: hashOfForm(form) };
    hashes.write(head.hash, index * 32, "hex");
    sequences.push(head.sequence);
  }
  return { sequences, salts, previous, hashes };
}

const keyOf = (type: AuditEvent["actor"]["type"]) => (uuid: string) => actorIdOf(type, uuid) as string;

/** A position in the order of accounts and events; ids are UUIDs. */
interface PendingPosition {
  accountId: string;
  id: string;
}

const BEGINNING: PendingPosition = { accountId: NIL_UUID, id: NIL_UUID };

/**
 * Chains a batch of pending events after a position; returns their number and the next position. Chains none while
 * another process is active.
 */
export async function sealBatch(
  sql: postgres.Sql,
  after = BEGINNING,
): Promise<{ sealed: number; next: PendingPosition }> {
  return sql.begin(async (tx) => {
    const [batch] = await tx<Batch[]>`select * from take_pending(${after.accountId}, ${after.id}, ${BATCH})`;
    if (!batch?.events) return { sealed: 0, next: BEGINNING };
    const { events, heads } = batch;
    const { sequences, salts, previous, hashes } = chain(events, heads ?? {});
    await tx`select seal_events(${events.map((event) => event.accountId)}::uuid[], ${events.map((event) => event.id)}::uuid[],
      ${sequences}::bigint[], ${salts}, ${previous}, ${hashes})`;
    // After a full batch, more events may follow. Continuing there is fair to all accounts and skips rows that were
    // just deleted.
    const next = events.length === BATCH ? defined(events.at(-1)) : BEGINNING;
    return { sealed: events.length, next };
  });
}

/**
 * Chains every event within a second of its response, until it is stopped. Any number of processes may run it on one
 * database: a lock lets one of them work at a time. It has a connection of its own.
 */
export function startSealer(url: string) {
  const sql = connect(url, {
    max: CONNECTIONS.sealer,
    deadline: deadlineOf(STATEMENT_MS),
    // If a process stops in the middle of a batch, the lock passes to another one.
    connection: { idle_in_transaction_session_timeout: 10_000 },
  });
  let place = BEGINNING;

  const polling = createPolling({
    async turn() {
      const [waiting] = place === BEGINNING ? await sql`select where has_pending()` : [{}];
      if (!waiting) return false;
      place = (await sealBatch(sql, place)).next;
      return place !== BEGINNING;
    },
    pauseMs: PAUSE_MS,
    failing: "Audit events could not be chained; it is tried again.",
  });
  polling.start();

  return {
    /** Waits for the running batch. */
    async stop() {
      await polling.stop();
      await sql.end({ timeout: 5 });
    },
  };
}
