import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { currentTime } from "#server/base/clock.ts";
import { idOf } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import type { Attempted } from "./attempt.ts";
import type { Due } from "./endpoint.ts";
import { nextAttemptAt } from "./schedule.ts";

/** An endpoint whose last attempts failed; ids in their public form. */
export interface FailedEndpoint {
  accountId: string;
  webhookId: string;
  failingSince: Date;
  warnedAt: Date | null;
}

/** Called, after attempts were stored, with the endpoints that failed and with those that no longer exist. */
export type OnFailure = (
  failed: FailedEndpoint[],
  gone: { accountId: string; webhookId: string }[],
) => Promise<void>;

interface Finished {
  due: Due;
  attempted: Attempted;
}

const WRITE_AT_ONCE = 500;
const AGAIN_MS = 1000;

/** Stores finished attempts, in batches, until each is stored. */
export function createAttemptWriter(
  sql: postgres.Sql,
  { onStored, onFailure }: { onStored(batch: readonly Finished[]): void; onFailure: OnFailure },
) {
  const finished: Finished[] = [];
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    // Attempts that end in this turn of the event loop are stored together.
    await sleep(0);
    while (finished.length > 0) {
      const batch = finished.splice(0, WRITE_AT_ONCE);
      try {
        await record(batch);
      } catch (error) {
        finished.unshift(...batch);
        log.warn("Deliveries could not be written down; it is tried again.", { error });
        await sleep(AGAIN_MS);
      }
    }
  }

  async function record(batch: Finished[]): Promise<void> {
    const now = currentTime();
    const done = batch.map(({ due, attempted }) => {
      const next = attempted.gone ? null : nextAttemptAt(due.attempts + 1, now, attempted.retryAfterMs);
      const outcome = attempted.succeeded ? "succeeded" : next ? "retry" : "failed";
      return {
        accountId: due.account_id,
        id: due.id,
        webhookId: due.webhook_id,
        before: due.attempts,
        attempt: attempted.attempt,
        outcome,
        dueAt: next,
      };
    });
    const health = await sql<
      { account_id: string; webhook_id: string; failing_since: Date | null; warned_at: Date | null }[]
    >`select * from finish_attempts(${JSON.stringify(done)}::text::jsonb)`;
    onStored(batch);
    const failed = health.flatMap(({ account_id, webhook_id, failing_since, warned_at }) =>
      failing_since
        ? { ...wireIds(account_id, webhook_id), failingSince: failing_since, warnedAt: warned_at }
        : [],
    );
    const gone = batch.flatMap(({ due, attempted }) =>
      attempted.gone ? wireIds(due.account_id, due.webhook_id) : [],
    );
    if (failed.length === 0 && gone.length === 0) return;
    await onFailure(failed, gone).catch((error) =>
      log.warn("The pause of failing endpoints is delayed until their next failure.", { error }),
    );
  }

  return {
    add(attempt: Finished): void {
      finished.push(attempt);
      writing ??= write().finally(() => {
        writing = null;
      });
    },
    /** True if attempts of the endpoint wait to be stored. */
    holds: (webhookId: string) => finished.some(({ due }) => due.webhook_id === webhookId),
    /** Resolves once nothing is being stored. */
    settled: async () => writing,
  };
}

const wireIds = (account: string, webhook: string) => ({
  accountId: idOf("account", account),
  webhookId: idOf("webhook", webhook),
});
