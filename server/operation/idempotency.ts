import { createHmac } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import type { Transaction } from "#db/client.ts";
import { askOwnRow, newEcho, ownRow } from "#db/echo.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { currentMs } from "#server/base/clock.ts";
import { newUuid } from "#server/base/ids.ts";
import type { Several } from "#server/platform.ts";
import { type ClaimReleaser, LEASE_SECONDS, type Left } from "./claim-releaser.ts";
import { ApiError } from "./errors.ts";
import type { AuditRecord, StoredPlace } from "./recorder.ts";
import { runBatch } from "./statement-batch.ts";

/** A response stored for replays. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A stored response that a crash of the database can still lose. */
export interface UnflushedResponse {
  place: StoredPlace;
  /** Releases the idempotency key, if a crash has left only its claim. */
  release(): void;
}

/** The idempotency record of one call. */
export interface CallRecord {
  /** Identifies the sealed content of this record. */
  context: string;
  /** Claims the key for this call, or returns the response that an earlier call stored. */
  claim(): Promise<StoredResponse | Claimed>;
  /**
   * Stores response and audit event in the effect's transaction, whether or not the key was claimed before;
   * throws `ClaimLost` if another call was first.
   */
  finish(
    tx: Transaction,
    response: StoredResponse,
    event: AuditRecord,
    output: Record<string, unknown>,
  ): Promise<void>;
  /** `finish` as a statement of a batch, if the record supports that. */
  finished?(response: StoredResponse, event: AuditRecord): SQL;
  /** The response that `finished` stores, until it is flushed to disk. */
  unflushed?: UnflushedResponse;
  /**
   * Holds the claim until the end of a transaction that precedes the effect's; throws `ClaimLost` if another
   * call has taken it.
   */
  lock?(tx: Transaction): Promise<void>;
  /** Prolongs the claim while the call runs. */
  prolong?(): Promise<void>;
  /** Releases the key; returns false if another call has taken it over. */
  release(left: Left): Promise<boolean>;
}

/** The result of a successful claim. */
export interface Claimed {
  /** Identifies the call's effect outside the database; the same for every repeat of the call. */
  effectId: string;
}

/** Another call has taken over the claim or committed first; this call's writes are rolled back. */
export class ClaimLost extends Error {}

const KEY = /^[A-Za-z0-9:._-]{8,200}$/;
const WAIT_MS = 10_000;
/**
 * How long a process must be without its liveness lock before its claims are taken over; a living process
 * retakes its lock sooner.
 */
const ORPHANED_MS = 1000;

/** Returns the `Idempotency-Key` of a write. A repeated header is refused. */
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

/**
 * Returns the HMACs over everything that makes two requests equal (RFC 8785 for the body), one per secret.
 */
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
  /** True if the process of a running call holds no liveness lock. */
  orphaned: boolean | null;
}

/**
 * Returns the record of a call by a key or a member: a fenced lease per caller and idempotency key. Ids are
 * UUIDs.
 */
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
    /**
     * Fingerprints of the request. The first is stored; an earlier call may have been stored under any of
     * them.
     */
    fingerprints: Several<Uint8Array>;
    keepHours: number;
    /** True if the claim must survive any crash, because the call's outside effect is identified by it. */
    durable: boolean;
    /** The name of this process, as its liveness lock has it. */
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

    // While another call holds the claim, this one waits for its response without holding a connection or a
    // transaction.
    async claim() {
      const deadline = currentMs() + WAIT_MS;
      let orphanedSince = Number.POSITIVE_INFINITY;
      let [fingerprint, ...older] = fingerprints;
      for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
        const orphaned = currentMs() - orphanedSince >= ORPHANED_MS;
        const echo = newEcho();
        const question = client<ClaimRow[]>`
          select *, ${echo}::text as echo
          from claim_idempotency(${accountId}, ${callerId}, ${key}, ${fingerprint}, ${owner}, ${LEASE_SECONDS}, ${durable},
            ${process}, ${orphaned})`;
        const row = await askOwnRow(question, echo).catch((reason) => {
          // The claim may have happened all the same. If an earlier call left the key in doubt, it must stay
          // in doubt.
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
        orphanedSince = row.orphaned ? Math.min(orphanedSince, currentMs()) : Number.POSITIVE_INFINITY;
        if (currentMs() + pause > deadline) {
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
