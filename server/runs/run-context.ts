import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import type { EventCondition } from "#db/schema/sent-events.ts";
import type { Artifact } from "#server/artifacts/schema.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import type { AwaitedEvent } from "#server/sent-events/schema.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";

export type LogLevel = "info" | "warn" | "error";

/** The argument of a step's work. Its effects in `tx` are stored with its output, or not at all. */
export interface Step {
  tx: Transaction;
  /** The same in every attempt at this step. */
  idempotencyKey: string;
}

/** The argument of an effect outside the database. */
export interface Effect {
  idempotencyKey: string;
  /** Aborted by the run's own signal and by the effect's timeout. */
  signal: AbortSignal;
  /** Records, right before it leaves, that the request is sent: one without this record has certainly not acted. */
  sending(): Promise<void>;
  /** Shows the next part of a text to the run's followers. */
  write(text: string): void;
}

/** The usage of a run that is charged however it ends. */
export interface RunUsage {
  credits: number;
  units: number;
}

/** The input of an operation that a run calls. */
export interface CallInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** The stored workflow and the input of a child run. */
export interface ChildInput {
  name: string;
  version?: number | undefined;
  input?: unknown;
}

/** The failure of a block of steps. */
export interface BlockFailure {
  code: string;
  message: string;
  /** The step that has failed. */
  step: string | null;
}

/** The end of a block of steps: its value, or its failure with the error to rethrow. */
export type BlockEnd<T> = { value: T; failure: null } | { value: null; failure: BlockFailure; reason: Error };

/** The events that a step waits for, and how long. */
export interface EventRequest {
  /** The first of them ends the wait. */
  events: { name: string; key?: string | undefined; where?: EventCondition[] | undefined }[];
  /** The maximum age of an event that was sent before the step began; by default, the run's start. */
  lookbackSeconds?: number | undefined;
  timeoutSeconds: number;
  /** The deadline of the enclosing steps, in Unix milliseconds: the step then fails with `service_timeout`. */
  deadline: number | null;
  /** True if the step finishes without an event after `timeoutSeconds`. */
  goesOnLate: boolean;
}

export interface EventOutcome {
  event: AwaitedEvent | null;
  timedOut: boolean;
}

/** The time limits of a callback. */
export interface CallbackBounds {
  /** For the result. */
  timeoutSeconds: number;
  /** Between the request and the first heartbeat, and between heartbeats. */
  heartbeatSeconds?: number | undefined;
}

/** A request that is answered later, at its callback. */
export interface CallbackRequest {
  attempt: number;
  /** True if it may be sent again when its outcome is unknown. */
  repeatable: boolean;
  /** The time limit for sending it. */
  sendSeconds: number;
}

/** An approval that a run requests before it continues. */
export interface ApprovalRequest {
  summary: string;
  /** The sentence without anything of the run's payloads, for privacy tiers that keep none. */
  bareSummary: string;
  payload: unknown;
  requiredApprovals?: number;
  initiatorMayApprove?: boolean;
  /** How long people have to decide; after that the step fails with `service_timeout`. */
  timeoutSeconds?: number;
}

/** A file that a run produces. */
export interface ArtifactContent {
  name: string;
  mediaType: string;
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * The argument of a durable capability's handler. After a crash or a suspension the handler runs again from its start;
 * finished steps return their output from the journal. A step's name is unique within its run; loops number theirs. A
 * failed step may be attempted again by its name, with the same idempotency key.
 */
export interface RunContext<Input = unknown> {
  id: string;
  input: Input;
  /** The key or member who created it, with their current rights. */
  caller: Caller;
  /** Aborted when the run is cancelled, expires, or belongs to another worker. */
  signal: AbortSignal;
  connectionId: string | null;
  /** The version of a stored workflow that it runs; null for any other run. */
  workflow: PinnedVersion | null;
  /** Returns the time by the database's clock, in Unix milliseconds: another worker may continue the run. */
  now(): number;
  /** Runs once: output and effects in the database share a transaction under the run's fence. */
  step<T>(name: string, work: (step: Step) => Promise<T>): Promise<T>;
  /**
   * Runs an effect outside the database, which records that it is sent by `sending`. If its response was lost, a
   * `repeatable` effect is sent again; any other fails with `service_timeout`, its outcome unknown. `uses` returns the
   * run's total usage after this response, given the total before it; usage is charged however the run ends.
   */
  effect<T>(
    name: string,
    options: {
      repeatable: boolean;
      timeoutSeconds?: number;
      uses?: (value: T, before: RunUsage) => RunUsage;
    },
    work: (effect: Effect) => Promise<T>,
  ): Promise<T>;
  /**
   * Calls an operation of the platform once, on behalf of the run's creator, through the whole pipeline. Returns the
   * response's body.
   */
  call(
    name: string,
    operationId: string,
    input: CallInput,
    options?: { timeoutSeconds?: number },
  ): Promise<Record<string, unknown>>;
  /**
   * Runs a stored workflow as a child run, on behalf of the same creator and cancelled with this run. Returns its
   * output when it has ended; no worker is occupied meanwhile. `deadline` is in Unix milliseconds, or null.
   */
  child(name: string, input: ChildInput, deadline: number | null): Promise<unknown>;
  /** Returns a step's output from an earlier execution of the handler; null if it had not finished. */
  recorded(name: string): { output: unknown } | null;
  /** True if an earlier execution of the handler sent the effect and received no response. */
  begun(name: string): boolean;
  /**
   * Runs a block of steps. If it fails and `takes` accepts the failure, the failure is final in the journal: the
   * block's waiting steps end, and a replay gets the failure from `work(true)`, which may only read the journal.
   */
  guard<T>(
    name: string,
    takes: (failure: BlockFailure) => boolean,
    work: (onlyRead: boolean) => Promise<T>,
  ): Promise<BlockEnd<T>>;
  /** Stores a decision that every replay must find unchanged, without a step of its own. */
  note<T>(name: string, decide: () => Promise<T>): Promise<T>;
  /**
   * Makes one attempt at a step, by its name and number. Returns null if it failed and the delay that `again` returned
   * is over. If `again` returns null, the step has failed.
   */
  attempt<T>(
    name: string,
    nth: number,
    again: (reason: unknown) => number | null,
    work: () => Promise<T>,
  ): Promise<{ value: T } | null>;
  /** Waits as part of a step, which does not end with the wait. */
  pause(name: string, seconds: number): Promise<void>;
  /** Waits this many seconds; no worker is occupied meanwhile. */
  wait(name: string, seconds: number): Promise<void>;
  /** Waits for the first of several events; no worker is occupied meanwhile. */
  awaitEvent(name: string, request: EventRequest): Promise<EventOutcome>;
  /** Returns the callback address of an attempt at a step: the same in every execution of the handler. */
  callbackAddress(name: string, attempt: number, bounds: CallbackBounds): Promise<string>;
  /**
   * Like `effect`, for a request that is answered later at the attempt's callback, which must be open: no worker is
   * occupied meanwhile. A request whose response was lost is waited for, or sent again if `repeatable`.
   */
  awaitCallback(
    name: string,
    request: CallbackRequest,
    send: (effect: Pick<Effect, "idempotencyKey" | "signal" | "sending">) => Promise<void>,
  ): Promise<unknown>;
  /** Waits until people have approved; throws `approval_rejected` if they reject. */
  approval(name: string, ask: ApprovalRequest): Promise<{ id: string }>;
  /** Stores a file as an artifact of the run. */
  artifact(name: string, file: ArtifactContent): Promise<z.output<typeof Artifact>>;
  /** Works on a few items at a time. If one fails or suspends the run, the running ones are awaited first. */
  map<Item, T>(
    items: readonly Item[],
    concurrency: number,
    work: (item: Item, index: number) => Promise<T>,
  ): Promise<T[]>;
  log(level: LogLevel, message: string, data?: Record<string, unknown>): Promise<void>;
  /** Reports the progress, from 0 to 1. */
  progress(fraction: number, message?: string): Promise<void>;
  /** Adds to the charge of a successful run, beside its usage, up to the maximum price. */
  charge(credits: number, units: number): void;
}

/** Fails a run with a code of its own, beside the operations' error codes. The run is not retried. */
export class RunFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** True if an error is the failure of a step, and not a signal to leave the run. */
export function isFailure(reason: unknown): reason is ApiError | RunFailure {
  return (reason instanceof ApiError || reason instanceof RunFailure) && !isPlatformFault(reason);
}

/** Suspends the run until an awaited event. A handler that catches errors must rethrow it. */
export class Suspended extends Error {}

/**
 * Thrown in place of steps that must not begin, since a parallel branch has failed. It is not itself a failure of a
 * step.
 */
export class Abandoned extends Error {}

/**
 * Why a worker leaves a run: the run must end (`cancelled`, `expired`, `full`, `large`, `over`), another worker has
 * claimed it (`lost`), or this worker must let it go (`halted`).
 */
export type StopReason = "cancelled" | "expired" | "full" | "large" | "over" | "lost" | "halted";

/** Leaves the handler at once. A handler that catches errors must rethrow it. */
export class Stopped extends Error {
  readonly why: StopReason;

  constructor(why: StopReason) {
    super(`The run is left: ${why}.`);
    this.why = why;
  }
}

/** Returns the step that a journal name belongs to, like `step_path` in SQL. */
export function stepPath(name: string): string {
  return name.replaceAll(/:\w+/g, "");
}
