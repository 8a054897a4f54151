import { newUuid } from "#server/ids.ts";
import type { Left } from "./claim-releaser.ts";
import { createCommit, type Done } from "./commit.ts";
import { ApiError } from "./errors.ts";
import { DatabaseLost, isDatabaseGone } from "./faults.ts";
import { type CallRecord, ClaimLost, type StoredAnswer } from "./idempotency.ts";
import type { Commit } from "./operation.ts";
import type { AuditRecord } from "./recorder.ts";
import { openFor, type SealSecret } from "./seal.ts";
import { refusalOf } from "./statement-batch.ts";

// A claim lives a minute: two beats may be lost before a repeat takes it over from a call that goes on.
const PROLONG_MS = 20_000;

/** An answer in the making. */
export interface Draft {
  status: number;
  headers: Record<string, string>;
  /** The envelope as JSON. */
  body: string;
  /** Bytes in its place; null where the answer has none of either. */
  bytes?: ReadableStream<Uint8Array> | null;
}

export interface IdempotentCall {
  record: CallRecord;
  /** The secret to seal what is stored under; null to store it as it is. */
  sealSecret: SealSecret | null;
  /** Whether the handler acts outside the database, or reads there. */
  external: boolean | "reads";
  /** Runs the handler; it calls `commit` with the work that makes the output. */
  attempt(commit: Commit<Record<string, unknown>>, effectId: string): Promise<unknown>;
  /** Refuses a repeat whose content differs from that of the stored answer, which the fingerprint does not cover. */
  compare?(stored: StoredAnswer): Promise<void>;
  /** Makes the answer of the handler's output, checked. */
  answer(output: Record<string, unknown>): Draft;
  /** The audit event of the answer. */
  event(draft: Draft, output: Record<string, unknown>): AuditRecord;
}

/** What an earlier call was answered. */
interface Replayed {
  draft: Draft;
  event: null;
  unflushed: false;
}

/**
 * Performs a call at most once under its idempotency key. The effect and the record share a transaction; a failure
 * rolls both back and frees the key; a repeat gets the stored answer. An effect outside has a name that every repeat
 * has too, by which its peer knows it again.
 */
export async function runIdempotently(options: IdempotentCall): Promise<Done | Replayed> {
  const { record, external } = options;
  // What only reads outside needs no claim before it: where an answer stands by then, nothing of this is stored.
  for (let unclaimed = external === "reads" && record.finished !== undefined; ; unclaimed = false) {
    const claimed = unclaimed ? { effectId: newUuid() } : await record.claim();
    if ("body" in claimed) return replayed(claimed, options);
    const prolong = () => void record.prolong?.().catch(() => undefined);
    const kept = unclaimed ? undefined : setInterval(prolong, PROLONG_MS);
    const { commit, state } = createCommit(options);
    try {
      await options.attempt(commit, claimed.effectId);
      const { done } = state;
      if (!done) throw new Error("The handler of an external operation did not commit.");
      return done;
    } catch (reason) {
      if (reason instanceof ClaimLost || refusalOf(reason)?.statement === "call") continue;
      const mayBeDone = state.underWay || (external === true && state.begun);
      if (mayBeDone && isDatabaseGone(reason)) {
        // What was stored stays; where nothing was, a repeat need not wait for the lease.
        void record.release(external ? "doubt" : "nothing");
        throw lostWhileStored(reason);
      }
      const standing = unclaimed ? await claimAfter(reason, record) : null;
      if (standing && "body" in standing) return replayed(standing, options);
      const released = record.release(leftBy(reason, options));
      if (!isDatabaseGone(reason)) await released;
      throw reason;
    } finally {
      clearInterval(kept);
    }
  }
}

/** Claims the key of a call that failed without: it may fail because it was made before. */
async function claimAfter(reason: unknown, record: CallRecord) {
  try {
    return await record.claim();
  } catch (fault) {
    if (fault instanceof ApiError) throw fault;
    throw isDatabaseGone(fault) && !isDatabaseGone(reason) ? lostBeforeReplay(fault) : reason;
  }
}

async function replayed(stored: StoredAnswer, options: IdempotentCall): Promise<Replayed> {
  await options.compare?.(stored);
  return { draft: replay(stored, options), event: null, unflushed: false };
}

/** Whether the call has happened is not known. */
export function lostWhileStored(cause: unknown): ApiError {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost while the call was being stored. Repeat it with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/** Whether an earlier call under the same key has happened is not known, and so what this one's refusal means. */
function lostBeforeReplay(cause: unknown): ApiError {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost before an earlier answer could be looked up. Repeat the call with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/** A transaction leaves nothing; outside of one, only a promise that nothing happened is taken for that. */
function leftBy(reason: unknown, { external }: IdempotentCall): Left {
  if (!external) return "nothing";
  return reason instanceof ApiError && reason.operationState === "not_started" ? "failure" : "doubt";
}

function replay(stored: StoredAnswer, { record, sealSecret }: IdempotentCall): Draft {
  const body = sealSecret ? openFor(sealSecret, record.context, stored.body) : stored.body;
  if (!body)
    throw new ApiError(
      "state_conflict",
      "The call was made before; the secret in its answer was shown once.",
    );
  return {
    status: stored.status,
    headers: { ...stored.headers, "idempotent-replayed": "true" },
    body: new TextDecoder().decode(body),
  };
}
