import { sql } from "drizzle-orm";
import { retryUndone } from "#db/retry-undone.ts";
import { platform } from "#server/platform.ts";
import type { Commit } from "./operation.ts";
import type { AuditRecord } from "./recorder.ts";
import type { Draft, IdempotentCall } from "./run-idempotently.ts";
import { sealFor } from "./seal.ts";
import { runBatch, type StatementBatch } from "./statement-batch.ts";

type Output = Record<string, unknown>;

/** A call whose effect is stored. */
export interface Done {
  draft: Draft;
  event: AuditRecord;
  /** Whether a crash of the database can still take it back: then it is not answered before `settle` has waited. */
  unflushed: boolean;
}

/** How far an attempt of a call has come. */
export interface Committing {
  /** Whether the handler has come to what it stores: what it does outside is done. */
  begun: boolean;
  /** Whether it has been asked to commit, and no answer has come: then it may have happened. */
  underWay: boolean;
  done: Done | null;
}

/** The `commit` of one attempt: effect and record share a transaction, or even a statement. */
export function createCommit({ record, sealSecret, answer, event }: IdempotentCall) {
  const { db } = platform().database;
  const state: Committing = { begun: false, underWay: false, done: null };

  function prepare(output: Output) {
    const draft = answer(output);
    const body = new TextEncoder().encode(draft.body);
    const stored = { ...draft, body: sealSecret ? sealFor(sealSecret, record.context, body) : body };
    return { done: { draft, event: event(draft, output), unflushed: false }, stored };
  }

  async function commit(work: Parameters<Commit<Output>>[0]): Promise<Output> {
    state.begun = true;
    const output = await db.transaction(async (tx) => {
      const output = await work(tx);
      const { done, stored } = prepare(output);
      await record.finish(tx, stored, done.event, output);
      state.done = done;
      state.underWay = true;
      return output;
    });
    state.underWay = false;
    return output;
  }

  // The disk is waited for where the request ends, by one flush for many: meanwhile nobody waits for what this has locked.
  async function batch<Names extends StatementBatch>(output: Output, statements: Names) {
    if (!record.finished) {
      let answers: Record<keyof Names, unknown> | undefined;
      await commit(async (tx) => {
        answers = await runBatch(tx, statements);
        return output;
      });
      return answers as Record<keyof Names, unknown>;
    }
    const { done, stored } = prepare(output);
    const unflushed = sql`set_config('synchronous_commit', 'off', true)`;
    const call = sql`refuse_unless('call', ${record.finished(stored, done.event)})`;
    state.underWay = true;
    const answers = await retryUndone(() => runBatch(db, { unflushed, ...statements, call }));
    state.underWay = false;
    state.done = { ...done, unflushed: true };
    return answers;
  }

  return { commit: Object.assign(commit, { batch }), state };
}
