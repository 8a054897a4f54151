import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { retryUndone } from "#db/retry-undone.ts";
import { defined } from "#server/base/defined.ts";
import { platform } from "#server/platform.ts";
import type { CommitProgress, ValidCall } from "./call.ts";
import { FIRST_REQUEST, sealSecretOf } from "./claim.ts";
import { inCommitTurn } from "./commit-turns.ts";
import type { CallRecord } from "./idempotency.ts";
import type { Commit } from "./operation.ts";
import { auditEvent, resourceOf } from "./record.ts";
import { refuseLeft } from "./refuse-left.ts";
import { successBody } from "./response.ts";
import { sealFor } from "./seal.ts";
import { runBatch, type StatementBatch } from "./statement-batch.ts";

type Output = Record<string, unknown>;

/**
 * Returns the `commit` functions of one attempt. Effect and record share a transaction, or a single
 * statement.
 */
export function createCommit(valid: ValidCall, record: CallRecord) {
  const { db } = platform().database;
  const progress: CommitProgress = { begun: false, committing: false, outcome: null };
  const { call, admission, external } = valid;
  const { accountId } = defined(admission).caller;
  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inCommitTurn(accountId, () => {
      // An effect outside the database is stored even if the client has left.
      if (!external) refuseLeft(call);
      return db.transaction(work);
    });

  async function commit(work: Parameters<Commit<Output>>[0]): Promise<Output> {
    progress.begun = true;
    const output = await transaction(async (tx) => {
      const output = await work(tx);
      const { response, stored, event } = recordable(valid, record, output);
      await record.finish(tx, stored, event, output);
      progress.outcome = { response, recorded: true, unflushed: null };
      progress.committing = true;
      return output;
    });
    progress.committing = false;
    return output;
  }

  // Waits for the disk at the end of the request, where one flush serves many calls; the locks are released
  // before that.
  async function batch<Names extends StatementBatch>(output: Output, statements: Names) {
    const { unflushed } = record;
    if (!record.finished || !unflushed) {
      let results: Record<keyof Names, unknown> | undefined;
      await commit(async (tx) => {
        results = await runBatch(tx, statements);
        return output;
      });
      return results as Record<keyof Names, unknown>;
    }
    const { response, stored, event } = recordable(valid, record, output);
    const unwaiting = sql`set_config('synchronous_commit', 'off', true)`;
    const call = sql`refuse_unless('call', ${record.finished(stored, event)})`;
    progress.committing = true;
    const results = await retryUndone(() => runBatch(db, { unwaiting, ...statements, call }));
    progress.committing = false;
    progress.outcome = { response, recorded: true, unflushed };
    return results;
  }

  async function before<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return transaction(async (tx) => {
      const result = await work(tx);
      await record.lock?.(tx);
      return result;
    });
  }

  return { commit: Object.assign(commit, { batch, before }), progress };
}

/** Returns the record of a write: the response for replays, sealed if necessary, and the audit event. */
function recordable(valid: ValidCall, record: CallRecord, output: Output) {
  const { call, started } = valid;
  const response = { ...valid.response, body: successBody(call.operation, output) };
  const body = new TextEncoder().encode(response.body);
  const secret = sealSecretOf(valid);
  return {
    response,
    stored: {
      status: response.status,
      headers: { ...response.headers, [FIRST_REQUEST]: call.requestId },
      body: secret ? sealFor(secret, record.context, body) : body,
    },
    event: auditEvent(call, defined(valid.admission), response, resourceOf(call, output), started),
  };
}
