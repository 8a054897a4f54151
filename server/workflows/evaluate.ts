import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { storable } from "#server/operation/input.ts";
import type { Evaluated, Task } from "./expression-thread.ts";
import { WORKFLOW_LIMITS } from "./schema.ts";

const MILLISECONDS = 2000;

/**
 * Evaluates customers' expressions in a thread of its own: a regular expression that backtracks without end, or a list
 * that fills the memory, ends the thread and nothing else. Accounts take turns, so that none waits for all of another's.
 */
export function createEvaluator(milliseconds = MILLISECONDS) {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let thread: Promise<Worker> | undefined;
  let working = false;

  async function start(): Promise<Worker> {
    const worker = new Worker(join(import.meta.dirname, "expression-thread.ts"), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    worker.unref();
    // Whoever waits for an answer hears of it; while nobody does, it must not end the process.
    worker.on("error", () => undefined);
    await once(worker, "message");
    return worker;
  }

  async function work(task: Task): Promise<unknown> {
    thread ??= start();
    const listening = new AbortController();
    const { signal } = listening;
    let timer: NodeJS.Timeout | undefined;
    let message: unknown;
    try {
      const worker = await thread;
      timer = setTimeout(() => worker.terminate(), milliseconds);
      const answer = Promise.race([once(worker, "message", { signal }), once(worker, "exit", { signal })]);
      worker.postMessage(JSON.stringify(task));
      [message] = await answer;
    } catch (reason) {
      thread = undefined;
      throw beyondLimit(
        task.path,
        `More memory than an expression may use (${(reason as { code?: string }).code}).`,
      );
    } finally {
      clearTimeout(timer);
      listening.abort();
    }
    if (typeof message === "string") return valueIn(message, task.path);
    thread = undefined;
    throw beyondLimit(task.path, `Not done within ${milliseconds / 1000} s.`);
  }

  async function workOff(): Promise<void> {
    if (working) return;
    working = true;
    for (;;) {
      const [next] = waiting;
      if (!next) break;
      const [accountId, jobs] = next;
      const job = jobs.shift();
      waiting.delete(accountId);
      if (jobs.length > 0) waiting.set(accountId, jobs);
      await job?.();
    }
    working = false;
  }

  /** The template with values in the place of its expressions; undefined where a lone one selects nothing. */
  return function evaluate(accountId: string, task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const jobs = waiting.get(accountId) ?? [];
      jobs.push(() => work(task).then(resolve, reject));
      waiting.set(accountId, jobs);
      void workOff();
    });
  };
}

function valueIn(message: string, path: string): unknown {
  if (message.length > WORKFLOW_LIMITS.maximumOutputBytes)
    throw beyondLimit(path, `The value has more than ${WORKFLOW_LIMITS.maximumOutputBytes} bytes.`);
  const { value, fault }: Evaluated = JSON.parse(message);
  if (fault?.limit) throw beyondLimit(fault.path, fault.message);
  // `$error` says whatever the customer wants, even what can't be stored.
  if (fault) throw invalid(fault.path, storable(fault.message, 1000));
  return value;
}

function beyondLimit(path: string, message: string): ApiError {
  return new ApiError("query_limit_exceeded", `${path}: ${message}`);
}
