import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { ApprovalNeed, Erased, PlanChanges, Summarize } from "#server/operation/declaration.ts";
import type { ApiError, Issue } from "#server/operation/errors.ts";
import type { Assignment } from "#server/operation/tenancy.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";

export type Mode = "invoke" | "run";

/**
 * The price of a call. `call` is an exact charge (`credits` = `maximum`); other units are charged up to `maximum`,
 * which is held.
 */
export interface Price {
  unit: string;
  credits: number;
  maximum: number;
}

/** The argument of a capability's handler. */
export interface Invocation<Input> {
  input: Input;
  caller: Caller;
  /** The transaction that stores effect, charge and record of the call. */
  tx: Transaction;
  requestId: string;
}

/** The argument of a capability's `read`. */
export interface Reading<Input> extends Pick<Invocation<Input>, "input" | "caller"> {
  db: Db | Transaction;
}

/** The argument of a capability that acts outside the platform. */
export interface OutsideCall {
  input: unknown;
  caller: Caller;
  requestId: string;
  /** The same in every repeat of the call, so that the service recognises repeats. */
  idempotencyKey: string;
  /** The connection whose credential the call may use. */
  connectionId: string | null;
  signal?: AbortSignal;
}

/** The outcome of an outside call: `failed` charges nothing, `unknown` may have happened. */
export type OutsideOutcome =
  | { outcome: "done"; status: number; result: unknown; credits: number; upstreamRequestId: string | null }
  | { outcome: "failed" | "unknown"; error: ApiError };

/** The account and caller that an input is checked for. */
export interface CheckedFor {
  accountId: string;
  connectionId?: string | undefined;
  /** The caller who invokes it; undefined for a run. */
  caller?: Caller;
  /** True if it was checked when it was stored, as a trigger's is. */
  isStored?: boolean;
}

/** An operation of a managed service: invoked directly, as a durable run, or by an endpoint of its own. */
export interface Capability {
  /** The operationId, e.g. `put`. */
  id: string;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** Empty if it has its own endpoint. */
  modes: readonly Mode[];
  /** Its own endpoint, relative to `/v1`, with the selector that covers it. */
  endpoint?: { method: string; path: string; selector: string | null };
  readOnly: boolean;
  destructive: boolean;
  requiresApproval: boolean;
  /** True if a response may contain a secret: the stored response is then sealed under the caller's credential. */
  secretOutput?: boolean;
  /** Describes the action that an approval would allow; without it, the approval shows the title and the input. */
  summarize?: Summarize;
  /** Shows the changes that the action would make, for the people who decide about it. */
  changes?: PlanChanges;
  /** The approval that the endpoint needs. */
  approval?: ApprovalNeed | undefined;
  price: Price;
  /** The version of its price list, if it is not the platform's. */
  priceVersion?: string;
  /**
   * Returns faults of an input beyond its schema, with paths within it; a faulty input is refused before anything
   * happens.
   */
  check?(input: Erased, by: CheckedFor): Issue[] | Promise<Issue[]>;
  /**
   * For workflows: returns the differences of a corrected workflow that concern steps before the one a retry
   * continues from.
   */
  compare?(before: Erased, now: Erased, fromStep: string): Issue[];
  /**
   * For stored definitions: returns the version that a run of this input uses (assignment null: an end user who owns
   * nothing yet). Refuses an input that the version does not accept, with paths below `where`.
   */
  pin?(input: Erased, assignment: Assignment | null, where: string): Promise<PinnedVersion>;
  /**
   * For stored definitions: returns the differences between two versions that concern steps before the one a retry
   * continues from.
   */
  compareVersions?(
    accountId: string,
    before: PinnedVersion,
    now: PinnedVersion,
    fromStep: string,
  ): Promise<Issue[]>;
  /**
   * For workflows: returns whether a step may look back for events of the platform, which are then stored from the
   * run's start.
   */
  keepsEvents?(input: Erased, accountId: string, pinned: PinnedVersion | null): Promise<boolean>;
  /** For workflows: returns the input of a run that a trigger starts at this time or by this event. */
  triggered?(input: Erased, occasion: Record<string, unknown>): unknown;
  /** The fields of its input whose expressions the capability evaluates itself. */
  ownExpressions?: readonly string[];
  /** Returns a short name for a run of this input, by which lists show and find it. */
  nameOf?(input: Erased): string;
  /** Runs inside the call's transaction. Absent if the capability only runs durably or has its own endpoint. */
  handler?(invocation: Invocation<Erased>): Promise<unknown>;
  /** Reads, in place of `handler`; the call's transaction begins afterwards. */
  read?(reading: Reading<Erased>): Promise<unknown>;
  /** Runs durably. Without it, a durable run calls `handler` or `read` as its only step. */
  run?(run: RunContext<Erased>): Promise<unknown>;
  /** True if a call may name a connection. */
  usesConnection?: boolean;
  /** The address that the credential is sent to, if it is known; the connection must be for its host. */
  address?: URL;
  /** Returns the connection that is named within the input, without validating the input. */
  connectionIn?(input: unknown): string | undefined;
  /** Acts outside the platform, in place of `handler`. */
  outside?(call: OutsideCall): Promise<OutsideOutcome>;
}

/** A capability whose type keeps its operationId and its output. */
export interface TypedCapability<Id extends string, Output extends z.ZodType> extends Capability {
  id: Id;
  output: Output;
}

/** Declares a capability with typed input and output. */
export function capability<Id extends string, Input extends z.ZodType, Output extends z.ZodType>(
  definition: Omit<
    Capability,
    | "id"
    | "input"
    | "output"
    | "check"
    | "compare"
    | "pin"
    | "nameOf"
    | "handler"
    | "read"
    | "run"
    | "summarize"
    | "changes"
  > & {
    id: Id;
    input: Input;
    output: Output;
    check?(input: z.output<Input>, by: CheckedFor): Issue[] | Promise<Issue[]>;
    compare?(before: z.output<Input>, now: z.output<Input>, fromStep: string): Issue[];
    pin?(input: z.output<Input>, assignment: Assignment | null, where: string): Promise<PinnedVersion>;
    summarize?: Summarize<z.output<Input>>;
    changes?: PlanChanges<z.output<Input>>;
    nameOf?(input: z.output<Input>): string;
    handler?(invocation: Invocation<z.output<Input>>): Promise<z.input<Output>>;
    read?(reading: Reading<z.output<Input>>): Promise<z.input<Output>>;
    run?(run: RunContext<z.output<Input>>): Promise<z.input<Output>>;
  },
): TypedCapability<Id, Output> {
  return definition;
}

export interface ServiceDefinition {
  id: string;
  name: string;
  description: string;
  /** The operations that can be invoked or run. */
  capabilities: readonly Capability[];
  /** True if its operations have their own endpoints; its capabilities are then derived from them. */
  endpoints?: true;
  /**
   * Returns why it cannot be used now, naming the missing setting; null if it can. The caller's connection may
   * replace a setting.
   */
  unavailable?(connectionId?: string | null): string | null;
  /** Returns why it currently works badly; null if it works well. */
  degraded?(): string | null;
}
