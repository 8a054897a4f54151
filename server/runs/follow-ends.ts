import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { notFenced } from "#db/frozen.ts";
import { runEnds, runs } from "#db/schema/runs.ts";
import { toUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { followTriggeredRun } from "#server/triggers/queries.ts";
import { cancelLiveRun, isRun } from "./queries.ts";

const BATCH = 100;

/**
 * Wakes the parents of ended runs and cancels their children. Each run is changed in a transaction of its own, so that
 * no two of a tree wait for each other; work that a crash leaves undone is found again.
 */
export async function followEnds(db: Db): Promise<void> {
  const ended = await db.select().from(runEnds).where(notFenced(runEnds.accountId)).limit(BATCH);
  for (const { accountId, runId } of ended) {
    try {
      await followEnd(db, accountId, runId);
    } catch (error) {
      if (isDatabaseGone(error) && !isStatementTimeout(error)) throw error;
      // A failure of this run alone, such as a locked row, must not delay the others.
      log.warn("The end of a run was not followed; it is tried again.", { runId, error });
    }
  }
}

async function followEnd(db: Db, accountId: string, runId: string): Promise<void> {
  const account = toUuid("account", accountId);
  await db.execute(sql`
    select wake_run(r.account_id, r.parent_id) from runs r
    where r.account_id = ${account} and r.id = ${toUuid("run", runId)} and r.depth > 0`);
  const below = await db
    .select({ id: runs.id })
    .from(runs)
    .where(
      and(
        eq(runs.accountId, accountId),
        eq(runs.parentId, runId),
        gt(runs.depth, 0),
        isNull(runs.finishedAt),
      ),
    );
  for (const { id } of below) await cancelLiveRun(db, { accountId: account, runId: toUuid("run", id) });
  await db.transaction((tx) => endOf(tx, accountId, runId));
}

/** Informs the trigger that started the run of its end, once: only the process that deletes the row does. */
async function endOf(tx: Transaction, accountId: string, runId: string): Promise<void> {
  const [ended] = await tx
    .delete(runEnds)
    .where(and(eq(runEnds.accountId, accountId), eq(runEnds.runId, runId)))
    .returning({ runId: runEnds.runId });
  if (!ended) return;
  const [run] = await tx
    .select({ triggerId: runs.triggerId, status: runs.status })
    .from(runs)
    .where(isRun(accountId, runId));
  const { triggerId, status } = run ?? {};
  if (triggerId && status) await followTriggeredRun(tx, { accountId, triggerId, status });
}
