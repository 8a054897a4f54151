import type { Db } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import { fromStored } from "#server/operation/payload.ts";
import { span } from "#server/telemetry.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import type { Journal, JournalEntry, WriteStatus } from "./journal.ts";
import { RunFailure, Stopped, Suspended, stepPath } from "./run-context.ts";

/** How much of a message a timeline keeps. */
export const MESSAGE_CHARACTERS = 2000;

/** How the worker reaches into a run that is under way. */
export interface Control {
  /** Aborted with a `Stopped`. */
  abort: AbortController;
  /** The worker is stopping: the run is left at its next step. */
  halted: boolean;
}

/** What the engine wants to know of a handler that has ended. */
export interface ExecutionState {
  /** The steps that wait, and for what. */
  suspended: Map<string, Suspension>;
  credits: number;
  units: number;
  /** The step in which an error arose. */
  stepOf: WeakMap<object, string>;
  /** Failures that the journal has for good: another attempt at the run would find them there. */
  decided: WeakSet<object>;
}

/** What a step waits for. */
export type Suspension = "wait" | "approval";

/** What a run waits for that is left: an approval rather than anything else; null where none of its steps waits. */
export function suspensionOf({ suspended }: ExecutionState): Suspension | null {
  const reasons = [...suspended.values()];
  return reasons.includes("approval") ? "approval" : (reasons[0] ?? null);
}

/** Whether a failure says what has become of what was sent. */
export const isCertain = (reason: unknown) =>
  reason instanceof ApiError && reason.operationState !== "unknown";

/** How every step of a run's execution is entered, left, suspended and failed, whatever its kind. */
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
  // The steps whose failure is recorded by who attempts them, with whether certainly nothing has happened.
  const attempts = new Map<string, boolean | null>();

  /** Where a run can be left: before each step. */
  function enter(name: string): JournalEntry | undefined {
    signal.throwIfAborted();
    if (control.halted) throw new Stopped("halted");
    if (named.has(name))
      throw new Error(`Two steps of ${run.serviceId} ${run.operationId} are called ${name}.`);
    named.add(name);
    return entries.get(name);
  }

  /** What a write under the fence has seen: whether the run goes on. */
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

  const outputOf = <T>(name: string, { output }: JournalEntry) => fromStored(run, name, output) as T;

  /** Notes in which step an error arose, and in the timeline that it did. */
  async function failed(name: string, reason: unknown, certain: boolean): Promise<void> {
    if (reason instanceof Stopped || reason instanceof Suspended || typeof reason !== "object" || !reason)
      return;
    // The run is left, and taken again: what became of the step is not known before.
    if (isDatabaseGone(reason)) return;
    execution.stepOf.set(reason, stepPath(name));
    if (attempts.has(name)) return void attempts.set(name, certain);
    const { code, message } = describeError(reason);
    if (certain) entries.delete(name);
    // Where this can't be stored neither can the run's end: the journal decides when the run is taken again.
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

  /** One attempt at a step of this name: its failure is noted by what `again` says of it, as a retry or as the step's end. */
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
      await retry({ ...describeError(reason), certain: certain === true, delaySeconds });
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
function describeError(reason: unknown): { code: string; message: string } {
  if (reason instanceof ApiError || reason instanceof RunFailure)
    return { code: reason.code, message: reason.message.slice(0, MESSAGE_CHARACTERS) };
  return { code: "internal", message: "The step failed." };
}
