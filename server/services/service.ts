import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { ApiError, Issue } from "#server/operation/errors.ts";
import type { ApprovalNeed, Erased, Summarize } from "#server/operation/operation.ts";
import type { Assignment } from "#server/operation/tenancy.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";

export type Mode = "invoke" | "run";

/** What a call costs: `call` is an exact charge (`credits` = `maximum`), any other unit is charged up to `maximum`, which is held. */
export interface Price {
  unit: string;
  credits: number;
  maximum: number;
}

/** What a capability's handler is given. */
export interface Invocation<Input> {
  input: Input;
  caller: Caller;
  /** The transaction in which effect, charge and record of the call are stored. */
  tx: Transaction;
  requestId: string;
}

/** What a capability that acts outside the platform is given. */
export interface OutsideCall {
  input: unknown;
  caller: Caller;
  requestId: string;
  /** The same in every repeat of the call, so that the service recognises them. */
  idempotencyKey: string;
  /** The connection whose credential it may use. */
  connectionId: string | null;
  signal?: AbortSignal;
}

/** How a call outside ended: `failed` charges nothing, `unknown` may have happened. */
export type OutsideOutcome =
  | { outcome: "done"; status: number; result: unknown; credits: number; upstreamRequestId: string | null }
  | { outcome: "failed" | "unknown"; error: ApiError };

/** For whom an input is checked. */
export interface CheckedFor {
  accountId: string;
  connectionId?: string | undefined;
  /** Who invokes it; nobody where it is to run. */
  caller?: Caller;
}

/** An operation of a managed service: invoked directly, as a durable run, or by an endpoint of its own. */
export interface Capability {
  /** The operationId, e.g. `put`. */
  id: string;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** Empty where it has an endpoint of its own. */
  modes: readonly Mode[];
  /** Where it has one: relative to `/v1`, with the limit operation that covers it. */
  endpoint?: { method: string; path: string; selector: string | null };
  readOnly: boolean;
  destructive: boolean;
  requiresApproval: boolean;
  /** Says what an approval would allow; without it the title and the input speak. */
  summarize?: Summarize;
  /** What is asked for where an endpoint needs an approval. */
  approval?: ApprovalNeed | undefined;
  price: Price;
  /** Names the list that the price is of, where it is not the platform's. */
  priceVersion?: string;
  /** What is wrong with an input beyond its schema, by paths within it: then it is refused before anything happens. */
  check?(input: Erased, by: CheckedFor): Issue[] | Promise<Issue[]>;
  /** Where it runs workflows: what of a corrected one is not as before, up to the step that a retry goes on from. */
  compare?(before: Erased, now: Erased, fromStep: string): Issue[];
  /**
   * Where it runs what is stored: the version that a run of this input, assigned so (null: to an end user who has nothing
   * yet), is of. Refuses an input that the version does not take, by paths below `where`.
   */
  pin?(input: Erased, assignment: Assignment | null, where: string): Promise<PinnedVersion>;
  /** Where it runs what is stored: what of another version is not as in the one before, up to the step that a retry goes on from. */
  compareVersions?(
    accountId: string,
    before: PinnedVersion,
    now: PinnedVersion,
    fromStep: string,
  ): Promise<Issue[]>;
  /** Where it runs workflows: whether a step may look back for events of the platform, which are kept from the run's start. */
  keepsEvents?(input: Erased, accountId: string, pinned: PinnedVersion | null): Promise<boolean>;
  /** Where it runs workflows: the input of a run that is started by itself, which is told for what time. */
  scheduled?(input: Erased, scheduledAt: string): unknown;
  /** What a run of this input is about, in a few words: by them it is known in lists, and found. */
  nameOf?(input: Erased): string;
  /** Runs inside the call's transaction. Absent where the capability only runs durably or has its own endpoint. */
  handler?(invocation: Invocation<Erased>): Promise<unknown>;
  /** Runs durably. A capability that runs without it has its `handler` run as the only step. */
  run?(run: RunContext<Erased>): Promise<unknown>;
  /** Whether a call may name a connection. */
  usesConnection?: boolean;
  /** Where its credential would go, if that is known: the connection must be for that host. */
  address?: URL;
  /** Where it may name one within its input too: reads it from there, leniently. */
  connectionIn?(input: unknown): string | undefined;
  /** StatementBatch outside the platform, in the place of `handler`. */
  outside?(call: OutsideCall): Promise<OutsideOutcome>;
}

/** Declares a capability with its types checked. */
export function capability<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Omit<
    Capability,
    "input" | "output" | "check" | "compare" | "pin" | "nameOf" | "handler" | "run" | "summarize"
  > & {
    input: Input;
    output: Output;
    check?(input: z.output<Input>, by: CheckedFor): Issue[] | Promise<Issue[]>;
    compare?(before: z.output<Input>, now: z.output<Input>, fromStep: string): Issue[];
    pin?(input: z.output<Input>, assignment: Assignment | null, where: string): Promise<PinnedVersion>;
    summarize?: Summarize<z.output<Input>>;
    nameOf?(input: z.output<Input>): string;
    handler?(invocation: Invocation<z.output<Input>>): Promise<z.input<Output>>;
    run?(run: RunContext<z.output<Input>>): Promise<z.input<Output>>;
  },
): Capability {
  return definition;
}

export interface ServiceDefinition {
  id: string;
  name: string;
  description: string;
  /** What can be invoked or run. */
  capabilities: readonly Capability[];
  /** Whether its operations have endpoints of their own: then its capabilities are derived from those. */
  endpoints?: true;
  /**
   * Why it can't be used right now, naming the setting that is missing; null when it can. A connection that a call
   * brings along may stand in for a setting.
   */
  unavailable?(connectionId?: string | null): string | null;
  /** Why it works badly at present; null when it works well. */
  degraded?(): string | null;
}
