import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";

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

/** An operation of a managed service, invoked directly or as a durable run. */
export interface Capability {
  /** The operationId, e.g. `put`. */
  id: string;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  modes: readonly Mode[];
  readOnly: boolean;
  destructive: boolean;
  requiresApproval: boolean;
  price: Price;
  // biome-ignore lint/suspicious/noExplicitAny: the input's type is erased here; it was parsed with the capability's own schema.
  handler?(invocation: Invocation<any>): Promise<unknown>;
}

/** Declares a capability with its types checked. */
export function capability<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Omit<Capability, "input" | "output" | "handler"> & {
    input: Input;
    output: Output;
    handler?(invocation: Invocation<z.output<Input>>): Promise<z.input<Output>>;
  },
): Capability {
  return definition;
}

export interface ServiceDefinition {
  id: string;
  name: string;
  description: string;
  capabilities: readonly Capability[];
  /** Why it can't be used right now, naming the setting that is missing; null when it can. */
  unavailable?(): string | null;
}
