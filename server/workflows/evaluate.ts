import { availableParallelism } from "node:os";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { storable } from "#server/operation/storable.ts";
import { type ExpressionChild, HEAP_MEGABYTES, startExpressionChild } from "./expression-child.ts";
import type { Evaluated, Task } from "./expression-process.ts";

const PROCESSES = Math.min(4, Math.max(2, availableParallelism()));
/** The most that a task may have: twice what input, outputs and a workflow may have together. */
const MAXIMUM_CHARACTERS = 16 * 1024 * 1024;

/** What is evaluated. */
export interface Evaluation extends Omit<Task, "scope"> {
  /** The scope as JSON, asked for when the evaluation begins. */
  scope(): string;
}

/**
 * Evaluates customers' expressions in processes of their own, so that what fills the memory or never ends takes nothing
 * with it. Accounts take turns, each process has one task at a time, and no account has all processes.
 */
export function createEvaluator({ milliseconds = 2000, processes = PROCESSES } = {}) {
  const idle: ExpressionChild[] = [];
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const working = new Map<string, number>();

  async function work({ scope, ...rest }: Evaluation): Promise<unknown> {
    const { path } = rest;
    const task = `${JSON.stringify(rest).slice(0, -1)},"scope":${scope()}}`;
    if (task.length > MAXIMUM_CHARACTERS)
      throw beyondLimit(path, `It reads more than ${MAXIMUM_CHARACTERS} characters of JSON.`);
    for (let attempt = 1; ; attempt++) {
      const child = (attempt === 1 ? takeIdle() : undefined) ?? (await startExpressionChild());
      const { fresh } = child;
      const { line, ending } = await child.ask(task, milliseconds);
      if (line !== undefined) {
        idle.push(child);
        return valueIn(line);
      }
      if (ending === "timed_out") throw beyondLimit(path, `Not done within ${milliseconds / 1000} s.`);
      // What ended a process that others have used before may be theirs, so this one gets a process of its own.
      if (!fresh) continue;
      if (ending === "out_of_memory")
        throw beyondLimit(path, `More memory than the ${HEAP_MEGABYTES} MB that an expression may use.`);
      if (attempt > 1)
        throw new ApiError("service_unavailable", `${path}: The process that evaluated it was ended.`);
    }
  }

  function takeIdle(): ExpressionChild | undefined {
    const child = idle.pop();
    return child?.ended ? takeIdle() : child;
  }

  /** Begins what may be worked at, the account's that has waited longest first. */
  function begin(): void {
    for (const [accountId, jobs] of waiting) {
      const all = [...working.values()].reduce((sum, count) => sum + count, 0);
      if (all === processes) return;
      const own = working.get(accountId) ?? 0;
      if (own === processes - 1) continue;
      const job = jobs.shift();
      waiting.delete(accountId);
      if (jobs.length > 0) waiting.set(accountId, jobs);
      working.set(accountId, own + 1);
      void job?.().finally(() => {
        const left = (working.get(accountId) ?? 1) - 1;
        if (left > 0) working.set(accountId, left);
        else working.delete(accountId);
        begin();
      });
    }
  }

  /** The template with values in the place of its expressions; undefined where a lone one selects nothing. */
  return function evaluate(accountId: string, evaluation: Evaluation): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const jobs = waiting.get(accountId) ?? [];
      jobs.push(() => work(evaluation).then(resolve, reject));
      waiting.set(accountId, jobs);
      begin();
    });
  };
}

function valueIn(line: string): unknown {
  const { value, fault } = parseKeepingDigits(line) as Evaluated;
  if (fault?.limit) throw beyondLimit(fault.path, fault.message);
  // `$error` says whatever the customer wants, even what can't be stored.
  if (fault) throw invalid(fault.path, storable(fault.message, 1000));
  return value;
}

function beyondLimit(path: string, message: string): ApiError {
  return new ApiError("query_limit_exceeded", `${path}: ${message}`);
}
