import type { Db } from "#db/client.ts";
import { span } from "#server/base/telemetry.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import { fromStored } from "#server/operation/payload.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import type { Journal, JournalEntry, WriteStatus } from "./journal.ts";
import { messageToStore } from "./kept-text.ts";
import { RunFailure, Stopped, Suspended, stepPath } from "./run-context.ts";

/** The maximum length of a message in the timeline. */
export const MESSAGE_CHARACTERS = 2000;

/** The controls by which a worker ends a run's execution. */
export interface Control {
  /** Aborted with a `Stopped`. */
  abort: AbortController;
  /** True if the run must be left before its next step, since the worker stops or the account is frozen. */
  halted: boolean;
}

/** The state of one execution of a run's handler. */
export interface ExecutionState {
  /** The suspended steps, each with its wait. */
  suspended: Map<string, Suspension>;
  credits: number;
  units: number;
  /** The step in which an error arose. */
  stepOf: WeakMap<object, string>;
  /** Failures that are final in the journal: another attempt at the run would find them again. */
  decided: WeakSet<object>;
}

/** The kind of a step's wait. */
export type Suspension = "wait" | "approval";

/** Returns the kind of wait that suspends the run, an approval before any other; null if no step waits. */
export function suspensionOf({ suspended }: ExecutionState): Suspension | null {
  const reasons = [...suspended.values()];
  return reasons.includes("approval") ? "approval" : (reasons[0] ?? null);
}

/** True if a failure says whether the effect happened. */
export const isCertain = (reason: unknown) =>
  reason instanceof ApiError && reason.operationState !== "unknown";

/** Returns the functions by which every kind of step begins, suspends, fails and is retried. */
export function stepLifecycle(
  run: ClaimedRun,
  { journal, entries, control }: { journal: Journal; entries: Map<string, JournalEntry>; control: Control },
) {
  const { signal } = control.abort;
  const execution: ExecutionState = {
    suspended: new Map(),
    credits: 0,
    units: 0,
    stepOf: new WeakMap(),
    decided: new WeakSet(),
  };
  const named = new Set<string>();
  // The steps whose failure `attempt` records, each with whether its effect certainly has not happened.
  const attempts = new Map<string, boolean | null>();

  /** Begins a step, unless the run has to be left; returns its journal entry. */
  function enter(name: string): JournalEntry | undefined {
    signal.throwIfAborted();
    if (control.halted) throw new Stopped("halted");
    if (named.has(name))
      throw new Error(`Two steps of ${run.serviceId} ${run.operationId} are called ${name}.`);
    named.add(name);
    return entries.get(name);
  }

  /** Leaves the run unless the status that a write returned is `running`. */
  function assertRunning(seen: WriteStatus): void {
    if (seen === "running") return;
    const why = seen === "cancelling" ? "cancelled" : (seen ?? "lost");
    control.abort.abort(new Stopped(why));
    signal.throwIfAborted();
  }

  function suspend(name: string, reason: Suspension): never {
    execution.suspended.set(name, reason);
    throw new Suspended(`${name} waits: ${reason}.`);
  }

  const outputOf = <T>(name: string, { output }: JournalEntry) => fromStored<T>(run, name, output);

  /** Records a step's failure in the timeline, and the step in which the error arose. */
  async function failed(name: string, reason: unknown, certain: boolean): Promise<void> {
    if (reason instanceof Stopped || reason instanceof Suspended || typeof reason !== "object" || !reason)
      return;
    // The run is interrupted and claimed again; only then is the step's outcome known.
    if (isPlatformFault(reason)) return;
    execution.stepOf.set(reason, stepPath(name));
    if (attempts.has(name)) return void attempts.set(name, certain);
    const { code, message } = describeError(run, reason);
    if (certain) entries.delete(name);
    // If this cannot be stored, neither can the run's end: the journal decides when the run is claimed again.
    await journal.failStep({ name, certain, code, message }).catch(() => undefined);
  }

  async function within<T>(name: string, work: () => Promise<T>, certain = (_: unknown) => true): Promise<T> {
    try {
      return await span("step", () => ({ attributes: { "platform.run.step": name } }), work);
    } catch (reason) {
      await failed(name, reason, certain(reason));
      // A handler may attempt it again, under the same idempotency key.
      named.delete(name);
      throw reason;
    }
  }

  /**
   * Makes one attempt at a step. Its failure is recorded as a retry if `again` returns a delay, else as the step's
   * failure.
   */
  async function attempt<T>(
    name: string,
    {
      work,
      again,
      retry,
    }: {
      work: () => Promise<T>;
      again: (reason: unknown) => number | null;
      retry: (failure: {
        code: string;
        message: string;
        certain: boolean;
        delaySeconds: number;
      }) => Promise<void>;
    },
  ): Promise<{ value: T } | null> {
    attempts.set(name, null);
    try {
      return { value: await work() };
    } catch (reason) {
      const certain = attempts.get(name) ?? null;
      attempts.delete(name);
      if (reason instanceof Stopped || reason instanceof Suspended) throw reason;
      const delaySeconds = again(reason);
      if (delaySeconds === null) {
        if (certain !== null) await failed(name, reason, certain);
        throw reason;
      }
      if (certain) entries.delete(name);
      await retry({ ...describeError(run, reason), certain: certain === true, delaySeconds });
      return null;
    } finally {
      attempts.delete(name);
    }
  }

  return { execution, enter, assertRunning, suspend, within, attempt, outputOf };
}

/** The parts that every kind of step works with. */
export interface StepParts {
  run: ClaimedRun;
  db: Db;
  journal: Journal;
  entries: Map<string, JournalEntry>;
  caller: Caller;
  control: Control;
  lifecycle: ReturnType<typeof stepLifecycle>;
}

/** Returns the code and message of an error that the timeline shows. */
function describeError(run: ClaimedRun, reason: unknown): { code: string; message: string } {
  if (reason instanceof ApiError || reason instanceof RunFailure)
    return { code: reason.code, message: messageToStore(run, reason).slice(0, MESSAGE_CHARACTERS) };
  return { code: "internal", message: "The step failed." };
}
