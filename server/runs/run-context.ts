import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import type { Artifact } from "#server/artifacts/schema.ts";
import type { CallbackBounds } from "#server/callbacks/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";
import type { CallbackRequest } from "./await-callback.ts";
import type { EventOutcome, EventRequest } from "./await-event.ts";
import type { Used } from "./claim-runs.ts";

export type LogLevel = "info" | "warn" | "error";

/** What a step's work is given: its effects in `tx` are stored with its output, or not at all. */
export interface Step {
  tx: Transaction;
  /** The same in every attempt at this step. */
  idempotencyKey: string;
}

/** What an effect outside the database is given. */
export interface Effect {
  idempotencyKey: string;
  /** Aborted by the run's own signal and by the effect's timeout. */
  signal: AbortSignal;
  /** Shows more of a text to those who follow the run, while it is written. */
  write(text: string): void;
}

/** Input of an operation that a run calls. */
export interface CallInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** What a run below another one is of. */
export interface ChildInput {
  name: string;
  version?: number | undefined;
  input?: unknown;
}

/** What a block of steps has failed with. */
export interface BlockFailure {
  code: string;
  message: string;
  /** The step that has failed. */
  step: string | null;
}

/** How a block of steps has ended: with its value, or with its failure and the error to throw on. */
export type BlockEnd<T> = { value: T; failure: null } | { value: null; failure: BlockFailure; reason: Error };

/** What a person is asked before the run goes on. */
export interface ApprovalRequest {
  summary: string;
  payload: unknown;
  requiredApprovals?: number;
  initiatorMayApprove?: boolean;
  /** How long people have to decide; after that the step fails with `service_timeout`. */
  timeoutSeconds?: number;
}

/** What a run leaves behind as a file. */
export interface ArtifactContent {
  name: string;
  mediaType: string;
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * What the handler of a durable capability works with. After a crash or a suspension the handler is run again from its
 * start; finished steps answer from the journal. A step's name is unique within its run; loops number theirs. One that
 * has failed may be attempted again by its name, with the same idempotency key.
 */
export interface RunContext<Input = unknown> {
  id: string;
  input: Input;
  /** Who created it, as of now. */
  caller: Caller;
  /** Aborted when the run is cancelled, expires, or belongs to another worker. */
  signal: AbortSignal;
  connectionId: string | null;
  /** The version of a stored workflow that it runs; null for any other run. */
  workflow: PinnedVersion | null;
  /** Done once: output and effects in the database share a transaction under the run's fence. */
  step<T>(name: string, work: (step: Step) => Promise<T>): Promise<T>;
  /**
   * An effect outside the database, recorded as sent before it is attempted. `repeatable` says whether it may be sent
   * again when its answer was lost; otherwise it then fails with `service_timeout`, its outcome unknown. `uses` says what
   * the run has used up in all with this answer, given what it had before: that is charged however the run ends.
   */
  effect<T>(
    name: string,
    options: { repeatable: boolean; timeoutSeconds?: number; uses?: (value: T, before: Used) => Used },
    work: (effect: Effect) => Promise<T>,
  ): Promise<T>;
  /** Calls an operation of the platform as who created the run, through the whole pipeline, once. Answers the body. */
  call(
    name: string,
    operationId: string,
    input: CallInput,
    options?: { timeoutSeconds?: number },
  ): Promise<Record<string, unknown>>;
  /**
   * Runs a stored workflow as a run below this one, in the same name and cancelled with it, and returns its output when it
   * has ended; no worker is occupied meanwhile. `deadline` in Unix milliseconds, null where there is none.
   */
  child(name: string, input: ChildInput, deadline: number | null): Promise<unknown>;
  /** What a step answered in an earlier execution of the handler; null where it had not finished. */
  recorded(name: string): { output: unknown } | null;
  /** Whether an effect was sent by an earlier execution of the handler, without an answer so far. */
  begun(name: string): boolean;
  /**
   * Runs a block of steps. Where it fails and `takes` the failure, the journal has that for good: steps that still wait end,
   * and a replay gets the failure from `work(true)`, which may only read what the journal has.
   */
  guard<T>(
    name: string,
    takes: (failure: BlockFailure) => boolean,
    work: (onlyRead: boolean) => Promise<T>,
  ): Promise<BlockEnd<T>>;
  /** Decides once what every replay is to find as it was; no step of its own. */
  note<T>(name: string, decide: () => Promise<T>): Promise<T>;
  /**
   * One attempt at a step, by its name and number. Null: it failed, `again` gave the seconds to wait before the next one,
   * and these are over. Where `again` gives null the step has failed.
   */
  attempt<T>(
    name: string,
    nth: number,
    again: (reason: unknown) => number | null,
    work: () => Promise<T>,
  ): Promise<{ value: T } | null>;
  /** Waits as part of a step, which is not finished by that. */
  pause(name: string, seconds: number): Promise<void>;
  /** Goes on after so many seconds; no worker is occupied meanwhile. */
  wait(name: string, seconds: number): Promise<void>;
  /** Goes on with the first of several events that the account sends; no worker is occupied meanwhile. */
  awaitEvent(name: string, request: EventRequest): Promise<EventOutcome>;
  /** The address at which an attempt at a step is called back; the same in every execution of the handler. */
  callbackAddress(name: string, attempt: number, bounds: CallbackBounds): Promise<string>;
  /**
   * As `effect`, for a request that is answered later at the attempt's callback, which is open: no worker is occupied
   * meanwhile. What was sent without an answer is waited for, unless it is `repeatable`.
   */
  awaitCallback(
    name: string,
    request: CallbackRequest,
    send: (effect: Pick<Effect, "idempotencyKey" | "signal">) => Promise<void>,
  ): Promise<unknown>;
  /** Goes on when people have approved; throws `approval_rejected` when they have not. */
  approval(name: string, ask: ApprovalRequest): Promise<{ id: string }>;
  /** Leaves a file behind. */
  artifact(name: string, file: ArtifactContent): Promise<z.output<typeof Artifact>>;
  /** Works on a few items at a time. When one fails or suspends the run, the others under way are waited for. */
  map<Item, T>(
    items: readonly Item[],
    concurrency: number,
    work: (item: Item, index: number) => Promise<T>,
  ): Promise<T[]>;
  log(level: LogLevel, message: string, data?: Record<string, unknown>): Promise<void>;
  /** How much is done, from 0 to 1. */
  progress(fraction: number, message?: string): Promise<void>;
  /** What the run itself is charged when it succeeds, beside what it has used, up to its price's maximum; it adds. */
  charge(credits: number, units: number): void;
}

/** Fails a run with a code of its own, beside those that operations answer. It is not tried again. */
export class RunFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error is the failure of a step, rather than the run being left. */
export function isFailure(reason: unknown): reason is ApiError | RunFailure {
  return (reason instanceof ApiError || reason instanceof RunFailure) && !isDatabaseGone(reason);
}

/** Leaves the handler until something it waits for has happened. A handler that catches errors throws it on. */
export class Suspended extends Error {}

/** Leaves steps that are not to be begun any more, since those beside them have failed. It fails no step. */
export class Abandoned extends Error {}

/** Why a worker leaves a run: it is to end, it has no room, it is another worker's now, or this worker stops. */
export type StopReason = "cancelled" | "expired" | "full" | "over" | "lost" | "halted";

/** Leaves the handler at once. A handler that catches errors throws it on. */
export class Stopped extends Error {
  readonly why: StopReason;

  constructor(why: StopReason) {
    super(`The run is left: ${why}.`);
    this.why = why;
  }
}

/** The step that a name of the journal belongs to, as `step_path` in SQL has it. */
export function stepPath(name: string): string {
  return name.replaceAll(/:\w+/g, "");
}
