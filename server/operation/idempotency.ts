import { createHmac } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import type { Transaction } from "#db/client.ts";
import { askOwnRow, newEcho, ownRow } from "#db/echo.ts";
import { canonicalJson } from "#server/canonical-json.ts";
import { newUuid } from "#server/ids.ts";
import type { Several } from "#server/platform.ts";
import { type ClaimReleaser, LEASE_SECONDS, type Left } from "./claim-releaser.ts";
import { ApiError } from "./errors.ts";
import type { AuditRecord } from "./recorder.ts";
import { runBatch } from "./statement-batch.ts";

/** A response as it is stored for replays. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A stored response that a crash of the database can still take back. */
export interface UnflushedResponse {
  /** Where it lies; ids are UUIDs. */
  place: { account: string; caller: string; key: string };
  /** Gives the key back, where a crash has left only its claim. */
  release(): void;
}

/** Where a call under an idempotency key is recorded. */
export interface CallRecord {
  /** Names what is sealed in it. */
  context: string;
  /** Claims the key for this call, or returns what an earlier one stored. */
  claim(): Promise<StoredResponse | Claimed>;
  /**
   * Stores response and audit event in the effect's transaction, claimed before or not; throws `ClaimLost` where another
   * call was first.
   */
  finish(
    tx: Transaction,
    response: StoredResponse,
    event: AuditRecord,
    output: Record<string, unknown>,
  ): Promise<void>;
  /** `finish` as a statement of a batch, where the record has one. */
  finished?(response: StoredResponse, event: AuditRecord): SQL;
  /** What `finished` stores, until it is on the disk. */
  unflushed?: UnflushedResponse;
  /** Keeps the claim until the end of a transaction before the effect's; throws `ClaimLost` where another call has it. */
  lock?(tx: Transaction): Promise<void>;
  /** Keeps the claim for as long as the call goes on. */
  prolong?(): Promise<void>;
  /** Gives the key back. */
  release(left: Left): Promise<void>;
}

/** The key is this call's now. */
export interface Claimed {
  /** Names what the call does outside the database: the same for every repeat of it. */
  effectId: string;
}

/** Another call has taken the claim over, or was first: what this one did is rolled back. */
export class ClaimLost extends Error {}

const KEY = /^[A-Za-z0-9:._-]{8,200}$/;
const WAIT_MS = 10_000;
/** How long a call's process is without its lock before its claim is taken over: a living one has it again by then. */
const ORPHANED_MS = 1000;

/** The `Idempotency-Key` of a write. A repeated header is refused. */
export function idempotencyKeyOf(values: readonly string[]): string {
  const [key] = values;
  if (values.length > 1) {
    throw new ApiError(
      "invalid_request",
      "The header Idempotency-Key was sent more than once. Send it once.",
      {
        issues: [{ path: "header.idempotency-key", message: "Sent more than once." }],
      },
    );
  }
  if (key === undefined) {
    throw new ApiError(
      "idempotency_key_required",
      "The operation changes something: send an Idempotency-Key header of 8 to 200 characters.",
    );
  }
  if (!KEY.test(key)) {
    throw new ApiError(
      "idempotency_key_invalid",
      `The Idempotency-Key has ${key.length} characters or others than letters, digits, colon, period, underscore, hyphen. Send 8 to 200 of those.`,
    );
  }
  return key;
}

/** HMACs over everything that makes two requests the same (RFC 8785 for the body), one for each secret. */
export function fingerprintsOf(
  [newest, ...older]: Several<string>,
  parts: Record<string, unknown>,
): Several<Uint8Array> {
  const canonical = canonicalJson(parts);
  const under = (secret: string) => new Uint8Array(createHmac("sha256", secret).update(canonical).digest());
  return [under(newest), ...older.map(under)];
}

interface ClaimRow {
  echo: string;
  verdict: "claimed" | "mismatch" | "done" | "running";
  status: number | null;
  headers: Record<string, string> | null;
  body: Uint8Array | null;
  effect: string;
  /** Whether the process of a running call holds no lock. */
  orphaned: boolean | null;
}

/** The record of a call by a key or a member: a fenced lease per caller and idempotency key. Ids are UUIDs. */
export function callRecord(
  client: postgres.Sql,
  {
    accountId,
    callerId,
    key,
    fingerprints,
    keepHours,
    durable,
    process,
    claims,
  }: {
    accountId: string;
    callerId: string;
    key: string;
    /** What the call is known by; the first is stored, and an earlier call may stand under each. */
    fingerprints: Several<Uint8Array>;
    keepHours: number;
    /** Whether the claim outlives any crash: what acts outside must be known by its name then. */
    durable: boolean;
    /** This process, as its liveness names it. */
    process: string;
    claims: ClaimReleaser;
  },
): CallRecord {
  const owner = newUuid();
  let claimed = false;
  const release = (left: Left, late = false) =>
    claims.release({ account: accountId, caller: callerId, key, owner, left, late });
  const finished = (response: StoredResponse, event: AuditRecord) =>
    sql`finish_call(${accountId}, ${callerId}, ${key}, ${claimed ? null : fingerprints[0]}, ${owner}, ${response.status},
      ${JSON.stringify(response.headers)}::jsonb, ${response.body}, ${keepHours}, ${JSON.stringify([event])}::jsonb)`;
  return {
    context: `${accountId}/${callerId}/${key}`,

    // While another call holds the claim, this one waits for its answer, holding neither connection nor transaction.
    async claim() {
      const deadline = Date.now() + WAIT_MS;
      let orphanedSince = Number.POSITIVE_INFINITY;
      let [fingerprint, ...older] = fingerprints;
      for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
        const orphaned = Date.now() - orphanedSince >= ORPHANED_MS;
        const echo = newEcho();
        const question = client<ClaimRow[]>`
          select *, ${echo}::text as echo
          from claim_idempotency(${accountId}, ${callerId}, ${key}, ${fingerprint}, ${owner}, ${LEASE_SECONDS}, ${durable},
            ${process}, ${orphaned})`;
        const row = await askOwnRow(question, echo).catch((reason) => {
          // It may have been claimed all the same; what another call had left in doubt must stay that.
          void release(durable ? "doubt" : "nothing", true);
          throw reason;
        });
        if (row.verdict === "claimed") {
          claimed = true;
          return { effectId: row.effect };
        }
        if (row.verdict === "done")
          return {
            status: row.status ?? 200,
            headers: row.headers ?? {},
            body: row.body ?? new Uint8Array(),
          };
        if (row.verdict === "mismatch") {
          const [next, ...others] = older;
          if (next) {
            [fingerprint, older] = [next, others];
            continue;
          }
          throw new ApiError(
            "idempotency_key_reused",
            `The Idempotency-Key ${key} was used with other input. Send a new key for a new call.`,
          );
        }
        orphanedSince = row.orphaned ? Math.min(orphanedSince, Date.now()) : Number.POSITIVE_INFINITY;
        if (Date.now() + pause > deadline) {
          throw new ApiError(
            "idempotency_in_progress",
            `The first call with Idempotency-Key ${key} is still under way.`,
            {
              retryAfterSeconds: 2,
            },
          );
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },

    async finish(tx, response, event) {
      const done = await runBatch(tx, { call: finished(response, event) });
      if (!done.call) throw new ClaimLost();
    },

    finished,

    unflushed: {
      place: { account: accountId, caller: callerId, key },
      release: () => void release("nothing", true),
    },

    async lock(tx) {
      const echo = newEcho();
      const [row] = await tx.execute<{ owned: boolean; echo: string }>(sql`
        select lock_claim(${accountId}, ${callerId}, ${key}, ${owner}) as owned, ${echo}::text as echo`);
      if (!ownRow(row, echo).owned) throw new ClaimLost();
    },

    async prolong() {
      await client`update idempotency_records set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
        where account_id = ${accountId} and caller_id = ${callerId} and key = ${key} and owner = ${owner} and state = 'running'`;
    },

    release,
  };
}
