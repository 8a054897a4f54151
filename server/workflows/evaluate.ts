import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ApiError, invalid } from "#server/operation/errors.ts";
import type { Evaluated, Task } from "./expression-thread.ts";
import { WORKFLOW_LIMITS } from "./schema.ts";

const MILLISECONDS = 2000;

/**
 * Evaluates customers' expressions in a thread of its own, one after another: a regular expression that backtracks
 * without end, or a list that fills the memory, ends the thread and nothing else.
 */
export function createEvaluator(milliseconds = MILLISECONDS) {
  let thread: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function start(): Promise<Worker> {
    const worker = new Worker(join(import.meta.dirname, "expression-thread.ts"), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    worker.unref();
    await once(worker, "message");
    return worker;
  }

  async function work(task: Task): Promise<unknown> {
    thread ??= start();
    const worker = await thread;
    const listening = new AbortController();
    const { signal } = listening;
    const timer = setTimeout(() => worker.terminate(), milliseconds);
    try {
      const answer = Promise.race([once(worker, "message", { signal }), once(worker, "exit", { signal })]);
      worker.postMessage(JSON.stringify(task));
      const [message] = await answer.catch((reason) => {
        thread = undefined;
        throw beyondLimit(task.path, `More memory than an expression may use (${reason.code}).`);
      });
      if (typeof message === "string") return valueIn(message, task.path);
      thread = undefined;
      throw beyondLimit(task.path, `Not done within ${milliseconds / 1000} s.`);
    } finally {
      clearTimeout(timer);
      listening.abort();
    }
  }

  /** The template with values in the place of its expressions; undefined where a lone one selects nothing. */
  return function evaluate(task: Task): Promise<unknown> {
    const done = last.then(() => work(task));
    last = done.catch(() => undefined);
    return done;
  };
}

function valueIn(message: string, path: string): unknown {
  if (message.length > WORKFLOW_LIMITS.maximumOutputBytes)
    throw beyondLimit(path, `The value has more than ${WORKFLOW_LIMITS.maximumOutputBytes} bytes.`);
  const { value, fault }: Evaluated = JSON.parse(message);
  if (fault) throw fault.limit ? beyondLimit(fault.path, fault.message) : invalid(fault.path, fault.message);
  return value;
}

function beyondLimit(path: string, message: string): ApiError {
  return new ApiError("query_limit_exceeded", `${path}: ${message}`);
}
