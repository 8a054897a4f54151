import { availableParallelism } from "node:os";
import { ApiError } from "#server/operation/errors.ts";
import { ComponentLost } from "#server/operation/faults.ts";
import {
  type ConfinedChild,
  type ConfinedProgram,
  HEAP_MEGABYTES,
  startConfinedChild,
} from "./confined-child.ts";

const PROCESSES = Math.min(4, Math.max(2, availableParallelism()));
/** The maximum size of a task: twice the combined maximum of input, outputs and a workflow. */
const MAXIMUM_CHARACTERS = 16 * 1024 * 1024;

export interface ConfinedOptions {
  /** How long a task may take. */
  milliseconds?: number;
  processes?: number;
}

/**
 * Executes customers' code in processes of its own, so that exhausted memory and endless loops affect nothing else.
 * Accounts take turns, each process has one task at a time, and no account has all processes.
 */
export function createConfined(
  program: ConfinedProgram,
  { milliseconds = 2000, processes = PROCESSES }: ConfinedOptions,
) {
  const idle: ConfinedChild[] = [];
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const working = new Map<string, number>();

  async function work(path: string, write: () => string): Promise<string> {
    const task = write();
    if (task.length > MAXIMUM_CHARACTERS)
      throw beyondLimit(path, `It reads more than ${MAXIMUM_CHARACTERS} characters of JSON.`);
    for (let attempt = 1; ; attempt++) {
      const child = (attempt === 1 ? takeIdle() : undefined) ?? (await startConfinedChild(program));
      const { fresh } = child;
      const { line, ending } = await child.ask(task, milliseconds);
      if (line !== undefined) {
        idle.push(child);
        return line;
      }
      if (ending === "timed_out") throw beyondLimit(path, `Not done within ${milliseconds / 1000} s.`);
      if (ending === "starved") throw new ComponentLost(`${path}: The machine is too busy to be waited for.`);
      // Another account may have caused the end of a shared process, so this task gets a process of its own.
      if (!fresh) continue;
      if (ending === "out_of_memory")
        throw beyondLimit(path, `More memory than the ${HEAP_MEGABYTES} MB that it may use.`);
      if (attempt > 1) throw new ComponentLost(`${path}: The process that ${program.does} was ended.`);
    }
  }

  function takeIdle(): ConfinedChild | undefined {
    const child = idle.pop();
    return child?.ended ? takeIdle() : child;
  }

  /** Begins waiting tasks that may run, the account that has waited longest first. */
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

  /** Returns the program's answer to the task, which is serialised when its turn comes; `path` is the task's place. */
  return function ask(accountId: string, path: string, task: () => string): Promise<string> {
    return new Promise((resolve, reject) => {
      const jobs = waiting.get(accountId) ?? [];
      jobs.push(() => work(path, task).then(resolve, reject));
      waiting.set(accountId, jobs);
      begin();
    });
  };
}

function beyondLimit(path: string, message: string): ApiError {
  return new ApiError("query_limit_exceeded", `${path}: ${message}`);
}
