import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { ByteResult } from "./bytes.ts";
import type { CallResponse } from "./call-response.ts";
import type { Caller } from "./caller.ts";
import type { Erased, Method, OperationFields, Shape, Surface, Target } from "./declaration.ts";
import type { Scope } from "./scopes.ts";
import type { SerializedResult } from "./serialized-result.ts";
import type { StatementBatch } from "./statement-batch.ts";
import type { StreamResult } from "./stream-result.ts";
import type { Upload } from "./upload.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

type Handler<Params, Query, Body, Output, Raw> =
  | {
      idempotent?: false;
      external?: false;
      handler(
        context: HandlerContext<Params, Query, Body> & { db: Db },
      ): Promise<Output | ByteResult | SerializedResult | StreamResult>;
    }
  | {
      /** Needs an Idempotency-Key. The effect and the call's record share one transaction. */
      idempotent: true;
      external?: false;
      handler(context: HandlerContext<Params, Query, Body> & { db: Transaction }): Promise<Output>;
    }
  | {
      /**
       * Needs an Idempotency-Key and acts outside the database, or only reads outside it; the handler ends
       * with `commit`. `effectId`, a UUID, is the same in every repeat of the call until it has a response.
       */
      idempotent: true;
      external: true | "reads";
      handler(
        context: HandlerContext<Params, Query, Body> & {
          db: Db;
          commit: Commit<Output>;
          effectId: string;
          upload: Upload<Raw>;
        },
      ): Promise<Output>;
    };

export type OperationDefinition<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Output extends Shape = Shape,
  Raw extends Shape = Shape,
> = OperationFields<Params, Query, Body, Output, Raw> &
  Handler<Parsed<Params>, Parsed<Query>, Parsed<Body>, z.input<Output>, z.output<Raw>>;

/** An operation with erased payload types, as the pipeline and the transports use it. */
export interface Operation
  extends Omit<OperationFields<Shape, Shape, Shape, Shape, Shape>, "operationId" | "surfaces" | "status"> {
  operationId: string;
  surfaces: readonly Surface[];
  status: 200 | 201 | 202;
  idempotent: boolean;
  external: boolean | "reads";
  handler(context: Erased): Promise<Record<string, unknown> | ByteResult | SerializedResult | StreamResult>;
}

/** The payload types of an operation, for typed clients. */
export interface Typed<Input, Output> {
  readonly "~input"?: Input;
  readonly "~output"?: Output;
}

/** An operation whose names the compiler knows; the types of the console's procedures derive from them. */
type Declared<Id, OperationId, Verb> = Operation & { id: Id; operationId: OperationId; method: Verb };

type None = Record<never, never>;
// zod's type of an object without fields forbids every field, which would also forbid those of other parts.
type In<Schema extends Shape> = keyof Schema["shape"] extends never ? None : z.input<Schema>;

/**
 * Declares an operation. Its HTTP route, access decision, limits, idempotency, OpenAPI entry, MCP tool,
 * console procedure and reference page are derived from it.
 */
export function operation<
  const Id extends string,
  const Verb extends Method,
  Output extends Shape,
  Params extends Shape = z.ZodObject<None>,
  Query extends Shape = z.ZodObject<None>,
  Body extends Shape = z.ZodObject<None>,
  const OperationId extends string = Id,
  Raw extends Shape = z.ZodObject<None>,
>(
  definition: OperationDefinition<Params, Query, Body, Output, Raw> & {
    id: Id;
    operationId?: OperationId;
    method: Verb;
  },
): Declared<Id, OperationId, Verb> & Typed<In<Params> & In<Query> & In<Body>, z.output<Output>> {
  return {
    ...definition,
    operationId: definition.operationId ?? definition.id,
    surfaces: definition.surfaces ?? ["api", "mcp", "console"],
    status: definition.status ?? 200,
    idempotent: definition.idempotent ?? false,
    external: definition.external ?? false,
    handler: definition.handler,
  } as unknown as Declared<Id, OperationId, Verb> &
    Typed<In<Params> & In<Query> & In<Body>, z.output<Output>>;
}

/** Returns the scope that callers need; null if they need none. */
export function scopeOf({ scope }: Pick<Operation, "scope">): Scope | null {
  return scope === "any" ? null : scope;
}

/** True if the operation may be called without a key. */
export function isPublic({ scope, people }: Pick<Operation, "scope" | "people">): boolean {
  return scope === null && people === undefined;
}

export interface HandlerContext<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  /** For a write, the transaction in which the call itself is recorded; for a read, the pool. */
  db: Db | Transaction;
  request: CallRequest;
  response: ResponseSetters;
}

/** The request as a handler sees it. */
export interface CallRequest {
  id: string;
  /** The run whose step makes the call, if any. */
  runId: string | null;
  /** How many runs are above the run that this call creates, each waiting for the next; 0 if none waits. */
  runDepth: number;
  /** The trigger's time for which the call creates a run, if any. */
  tick: CallTick | null;
  /** When the call was admitted. */
  at: Date;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The scheme and host that absolute URLs start with. */
  baseUrl: string;
  idempotencyKey: string | null;
  /**
   * The payment headers sent to an operation that takes `payment`; empty from a transport without headers.
   */
  payment: SentPayment;
  /**
   * Calls another operation as this call's caller; the inner call is judged, limited and recorded separately.
   * Derive its idempotency key from this call's `effectId`, so that a repeat of the outer call finds the
   * inner result. Throws if the inner call failed and may have happened all the same.
   */
  call(operation: Operation, input: OwnInput, idempotencyKey: string): Promise<CallResponse>;
  /** `Last-Event-ID`: the id of the last event the client received; null if it starts from the beginning. */
  lastEventId: string | null;
  /**
   * Judges the caller again, as of now, for this target; throws the refusal. For calls that wait before they
   * respond.
   */
  judgeAgain(target: Target): Promise<void>;
  progress: Progress | undefined;
  /**
   * True if content of this type is to be returned as bytes; always false on a transport that cannot carry
   * bytes.
   */
  wantsBytes(mediaType: string): boolean;
  /** True if a long list may be sent in parts; other transports parse a response as a whole. */
  sendsParts: boolean;
}

/** The input of a call that a handler makes within another call. */
export interface OwnInput {
  params: Record<string, string>;
  body: unknown;
}

/** A trigger's time, as claimed by the worker that starts its run. */
export interface CallTick {
  triggerId: string;
  at: Date;
  /** The fencing number of the worker's claim on the trigger. */
  fence: number;
  /**
   * Length of the chain of runs above the created one, in which each run caused the event that started the
   * next.
   */
  depth: number;
}

export type Progress = (step: number, message: string) => Promise<void>;

/** The x402 payment headers of a request: every value that was sent of each. */
export interface SentPayment {
  /** `Payment-Signature`. */
  signature: readonly string[];
  /** `X-PAYMENT`, which clients of x402 version 1 send. */
  legacy: readonly string[];
}

/** Functions by which a handler changes its response beside the output. */
export interface ResponseSetters {
  /** Sets a response header; replays carry it too. */
  header(name: string, value: string): void;
  /** Sets the exact charge, for `X-Service-Credits-Charged`, audit and usage. */
  charged(credits: number): void;
  /** Sets one of the operation's `otherStatuses`. */
  status(status: 200 | 201 | 202): void;
}

/**
 * Ends a call that has an effect outside the database: the handler's last writes and the call's record share
 * this transaction.
 */
export interface Commit<Output> {
  (work: (tx: Transaction) => Promise<Output>): Promise<Output>;
  /**
   * Like the call above, with a single statement, for an output that is known beforehand: no lock is held
   * over a round trip. Returns the results of the statements.
   */
  batch<Names extends StatementBatch>(
    output: Output,
    statements: Names,
  ): Promise<Record<keyof Names, unknown>>;
  /**
   * Runs a transaction before the call ends, provided the call still owns its idempotency key: a process that
   * was frozen stores nothing for a call that another process has taken over.
   */
  before<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
