import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { idOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import { EVENT_LIMITS } from "#server/sent-events/schema.ts";
import { type ClaimedRun, fenceArguments } from "./claim-runs.ts";
import type { LogLevel, RunUsage } from "./run-context.ts";
import type { Batchable, RunWriter } from "./run-writer.ts";
import { RUN_LIMITS } from "./schema.ts";

/** The journal entry of a step. */
export interface JournalEntry {
  state: "sent" | "waiting" | "done" | "noted";
  output: Uint8Array | null;
  wakeAt: Date | null;
  /** When the step was recorded for the first time. */
  at: Date;
}

/**
 * A run's status after a write under its fence: `full` if its timeline can hold no more, `large` if it keeps more bytes
 * than a run may, `over` if its account's runs exceed their budget; null if another worker has claimed the run.
 */
export type WriteStatus = "running" | "cancelling" | "full" | "large" | "over" | null;

/** The writes of a run's worker: one statement each, without effect if another worker has claimed the run. */
export interface Journal {
  read(): Promise<Map<string, JournalEntry>>;
  finishStep(
    tx: Db | Transaction,
    step: {
      name: string;
      output: Uint8Array;
      chargedCredits?: number;
      startedAt: number;
      /** The run's total usage, if it has changed. */
      used?: RunUsage | null;
    },
  ): Promise<WriteStatus>;
  openStep(
    tx: Db | Transaction,
    step: {
      name: string;
      state: "sent" | "waiting";
      output?: Uint8Array | null;
      wakeAt?: Date | null;
      data?: Record<string, unknown>;
    },
  ): Promise<WriteStatus>;
  /**
   * Begins a step that waits for the first of several events of its run's account, unless the account has too many waits
   * for one of the platform's.
   */
  awaitEvents(step: {
    name: string;
    space: string;
    events: readonly { name: string }[];
    lookbackSeconds: number | null;
    until: Date;
  }): Promise<WriteStatus>;
  /** `certain`: the effect has not happened, so the step may be attempted again. */
  failStep(step: { name: string; certain: boolean; code: string; message: string }): Promise<WriteStatus>;
  /** Ends the waits of a block's steps and records the block's failure; returns the approvals and runs to cancel. */
  endWaits(
    tx: Transaction,
    block: string,
    failure: { note: string; output: Uint8Array; code: string; step: string | null } | null,
  ): Promise<{ seen: WriteStatus; approvalIds: string[]; runIds: string[] }>;
  /** Stores a value that a replay must find unchanged and no timeline shows. */
  noteStep(step: { name: string; output: Uint8Array }): Promise<WriteStatus>;
  /** Stores a failed attempt at a step under `note`, and the delay before the next one. */
  retryStep(step: {
    name: string;
    note: string;
    output: Uint8Array;
    certain: boolean;
    code: string;
    message: string;
    attempt: number;
    delayMs: number;
  }): Promise<WriteStatus>;
  log(level: LogLevel, message: string, data: Record<string, unknown> | null): Promise<WriteStatus>;
  progress(fraction: number, message: string): Promise<WriteStatus>;
}

/** Returns the journal of a claimed run. `writer` stores the steps that belong to no transaction. */
export function journalOf(
  db: Db,
  writer: RunWriter,
  run: Pick<ClaimedRun, "fence" | "entries" | "keptBytes">,
): Journal {
  const { accountId, runId } = run.fence;
  let { entries, keptBytes } = run;
  const fence = fenceArguments(run.fence);
  const budget = sql`${platform().settings.storage.runsBytes}::bigint`;
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;
  const whose = idOf("account", accountId);
  async function write(on: Db | Transaction, call: SQL): Promise<WriteStatus> {
    const [row] = await on.execute<{ seen: WriteStatus }>(sql`select ${call} as seen`);
    return afterWrite(on, row?.seen ?? null);
  }
  async function writeStep(
    on: Db | Transaction,
    name: Batchable,
    parts: SQL,
    output: Uint8Array | null,
  ): Promise<WriteStatus> {
    keptBytes += output?.byteLength ?? 0;
    const call = sql`${sql.raw(name)}(${fence}, ${parts}, ${budget})`;
    return on === db ? afterWrite(on, (await writer(name, call)) as WriteStatus) : write(on, call);
  }
  function afterWrite(on: Db | Transaction, seen: WriteStatus): WriteStatus {
    publishChange(on, whose, "runs");
    entries += 1;
    if (seen !== "running") return seen;
    if (keptBytes > RUN_LIMITS.maximumKeptBytes) return "large";
    return entries >= RUN_LIMITS.maximumTimelineEntries ? "full" : seen;
  }
  return {
    async read() {
      const rows = await db.execute<{
        name: string;
        state: JournalEntry["state"];
        output: Uint8Array | null;
        wake_ms: number | null;
        at_ms: number;
      }>(sql`select name, state, output, (extract(epoch from wake_at) * 1000)::float8 as wake_ms,
          (extract(epoch from at) * 1000)::float8 as at_ms
        from run_steps
        where account_id = ${accountId} and run_id = ${runId}`);
      return new Map(
        rows.map(({ name, state, output, wake_ms, at_ms }) => [
          name,
          { state, output, wakeAt: wake_ms === null ? null : new Date(wake_ms), at: new Date(at_ms) },
        ]),
      );
    },

    finishStep: (tx, { name, output, chargedCredits = 0, startedAt, used = null }) =>
      writeStep(
        tx,
        "finish_step",
        sql`${name}, ${output}, ${chargedCredits}::bigint, ${Math.round(performance.now() - startedAt)}::int,
          ${used?.credits ?? null}::bigint, ${used?.units ?? null}::int`,
        output,
      ),

    openStep: (tx, { name, state, output = null, wakeAt = null, data = {} }) =>
      writeStep(
        tx,
        "open_step",
        sql`${name}, ${state}, ${output}::bytea, ${wakeAt?.toISOString() ?? null}::timestamptz, ${json(data)}`,
        output,
      ),

    async awaitEvents({ name, space, events, lookbackSeconds, until }) {
      const most = EVENT_LIMITS.maximumWaitsPerEvent;
      const [row] = await db.execute<{ seen: WriteStatus; crowded: string | null }>(sql`
        select seen, crowded
        from await_events(${fence}, ${name}, ${space}::uuid, ${json(events)}, ${lookbackSeconds}::float8, ${until.toISOString()}::timestamptz,
          ${json({ until: until.toISOString(), events: events.map(({ name }) => name) })}, ${most}::int)`);
      if (row?.crowded)
        throw new ApiError(
          "quota_exceeded",
          `The account's runs wait for ${row.crowded} ${most.toLocaleString("en")} times, the most that they may. Wait in fewer runs, or have a trigger start a run at ${row.crowded}.`,
        );
      return afterWrite(db, row?.seen ?? null);
    },

    failStep: ({ name, certain, code, message }) =>
      write(db, sql`fail_step(${fence}, ${name}, ${certain}::boolean, ${code}, ${message}, ${budget})`),

    async endWaits(tx, block, failure) {
      const { note = null, output = null, code = null, step = null } = failure ?? {};
      const [row] = await tx.execute<{ seen: WriteStatus; approval_ids: string[]; run_ids: string[] }>(
        sql`select * from end_waits(${fence}, ${block}, ${note}, ${output}::bytea, ${code}, ${step}, ${budget})`,
      );
      publishChange(tx, whose, "runs");
      entries += 1;
      return { seen: row?.seen ?? null, approvalIds: row?.approval_ids ?? [], runIds: row?.run_ids ?? [] };
    },

    noteStep: ({ name, output }) => writeStep(db, "note_step", sql`${name}, ${output}`, output),

    retryStep: ({ name, note, output, certain, code, message, attempt, delayMs }) =>
      write(
        db,
        sql`retry_step(${fence}, ${name}, ${note}, ${output}, ${certain}::boolean, ${code}, ${message}, ${attempt}::int, ${delayMs}::bigint, ${budget})`,
      ),

    log: (level, message, data) =>
      write(db, sql`log_run(${fence}, ${level}, ${message}, ${data && json(data)}::jsonb, null, ${budget})`),

    progress: (fraction, message) =>
      write(
        db,
        sql`log_run(${fence}, 'info', ${message}, ${json({ fraction })}, ${fraction}::float8, ${budget})`,
      ),
  };
}
