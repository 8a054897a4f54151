import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { runOutput } from "#db/schema/runs.ts";
import { idOf } from "#server/base/ids.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import { stepPath } from "./run-context.ts";

const EVERY_MS = 500;

/** Shows the partial output of a step to the run's followers. */
export interface OutputWriter {
  write(text: string): void;
  /** Stores the remaining text and accepts no more. */
  end(): Promise<void>;
}

/**
 * Stores a step's partial output, at most twice a second, under the run's fence; nothing on the tier `strict`. It is
 * for followers only: the complete output is in the journal, and a failure here fails no step.
 */
export function outputWriter(db: Db, run: ClaimedRun, step: string): OutputWriter {
  const { accountId, runId, worker, fence } = run.fence;
  const whose = idOf("account", accountId);
  let seq: number | null = null;
  let offset = 0;
  let waiting = "";
  let storedAt = 0;
  let ended = run.privacyTier === "strict";
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();

  async function store() {
    timer = undefined;
    storedAt = performance.now();
    const piece = waiting;
    if (piece === "") return;
    try {
      if (seq === null)
        await db.delete(runOutput).where(and(eq(runOutput.accountId, whose), eq(runOutput.runId, run.id)));
      const [row] = await db.execute<{ seq: number }>(sql`
        insert into run_output (account_id, run_id, seq, "offset", step, text)
        select r.account_id, r.id, coalesce(${seq}::int, r.last_seq), ${offset}::int, ${stepPath(step)}, ${toStored(run, step, piece)}
        from runs r
        where r.account_id = ${accountId} and r.id = ${runId} and r.worker = ${worker} and r.fence = ${fence}
        returning seq`);
      if (!row) return;
      seq = row.seq;
      offset += piece.length;
      waiting = waiting.slice(piece.length);
      publishChange(db, whose, "runs");
    } catch {
      // The next write includes this piece.
    }
  }

  return {
    write(text) {
      if (ended) return;
      waiting += text;
      timer ??= setTimeout(
        () => {
          storing = storing.then(store);
        },
        Math.max(0, storedAt + EVERY_MS - performance.now()),
      );
    },
    async end() {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      await storing;
      await store();
    },
  };
}

/** Deletes the partial output of ended runs. */
export async function sweepOutput(db: Db): Promise<void> {
  await db.execute(sql`
    delete from run_output o where not exists (
      select from runs r where r.account_id = o.account_id and r.id = o.run_id and r.finished_at is null)`);
}
