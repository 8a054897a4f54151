import { sql } from "drizzle-orm";
import { platform } from "#server/platform.ts";
import { type Acts, performActs } from "./acts.ts";
import type { Draft, OnceOptions } from "./once.ts";
import type { Commit } from "./operation.ts";
import type { AuditRecord } from "./recorder.ts";
import { sealFor } from "./seal.ts";

type Output = Record<string, unknown>;

/** How far an attempt of a call has come. */
export interface Committing {
  /** Whether it has been asked to commit, and no answer has come: then it may have happened. */
  underWay: boolean;
  done: { draft: Draft; event: AuditRecord } | null;
}

/** The `commit` of one attempt: effect and record share a transaction, or even a statement. */
export function createCommit({ record, sealSecret, answer, event }: OnceOptions) {
  const { db } = platform().database;
  const state: Committing = { underWay: false, done: null };

  function prepare(output: Output) {
    const draft = answer(output);
    const body = new TextEncoder().encode(draft.body);
    const stored = { ...draft, body: sealSecret ? sealFor(sealSecret, record.context, body) : body };
    return { draft, event: event(draft, output), stored };
  }

  async function commit(work: Parameters<Commit<Output>>[0]): Promise<Output> {
    const output = await db.transaction(async (tx) => {
      const output = await work(tx);
      const made = prepare(output);
      await record.finish(tx, made.stored, made.event, output);
      state.done = made;
      state.underWay = true;
      return output;
    });
    state.underWay = false;
    return output;
  }

  async function atOnce<Names extends Acts>(output: Output, acts: Names) {
    if (!record.finished) {
      let answers: Record<keyof Names, unknown> | undefined;
      await commit(async (tx) => {
        answers = await performActs(tx, acts);
        return output;
      });
      return answers as Record<keyof Names, unknown>;
    }
    const made = prepare(output);
    const call = sql`refuse_unless('call', ${record.finished(made.stored, made.event)})`;
    state.underWay = true;
    const answers = await performActs(db, { ...acts, call });
    state.underWay = false;
    state.done = made;
    return answers;
  }

  return { commit: Object.assign(commit, { atOnce }), state };
}
