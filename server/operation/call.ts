import type { Db, Transaction } from "#db/client.ts";
import type { Target } from "./access.ts";
import type { Admission } from "./admission.ts";
import type { ByteRequest } from "./bytes.ts";
import type { CallResponse } from "./call-response.ts";
import type { Caller } from "./caller.ts";
import type { ApiError } from "./errors.ts";
import type { CallRecord, UnflushedResponse } from "./idempotency.ts";
import type { ParsedInput } from "./input.ts";
import type { Operation } from "./operation.ts";
import type { StatementBatch } from "./statement-batch.ts";
import type { SentBytes, TrackedBytes } from "./upload.ts";

/** The caller's credential, as the transport read it. */
export type Credential =
  | { type: "none" }
  /** `path` is the first segment of the address; the audience of an access token has to match it. */
  | { type: "key"; secret: string; path: string }
  | { type: "creditToken"; secret: string }
  /**
   * `secret` is a random value of the session; responses sealed for replays under it open in this session
   * only.
   */
  | { type: "member"; sessionId: string; accountId: string; secret: string }
  /**
   * A key or a member on whose behalf the platform itself continues work; `secret` is a secret of the
   * platform.
   */
  | { type: "storedKey"; hash: string; secret: readonly string[] }
  | { type: "storedMember"; memberId: string; accountId: string; secret: readonly string[] };

/** A call of an operation by any transport. */
export interface Call {
  operation: Operation;
  /** The transport that the call came by. */
  transport: "api" | "mcp" | "console" | "run" | "trigger";
  requestId: string;
  /** The run whose step makes the call. */
  runId?: string;
  /** How many runs are above the run that this call creates, if the calling step waits for it. */
  runDepth?: number;
  /** The scheduled or event-driven time of a trigger for which this call creates a run. */
  tick?: CallTick;
  credential: Credential;
  params: Record<string, string>;
  /** Returns the query fields by name; throws if a field is repeated. */
  readQuery(): unknown;
  /**
   * Returns the JSON body, which is bounded in size; undefined if none was sent. May be called more than
   * once.
   */
  readBody(): Promise<unknown>;
  /** The raw bytes, for an operation that takes bytes in place of a JSON body. */
  sentBytes?: SentBytes;
  /** The request's preconditions and ranges, from a transport that carries bytes or events. */
  byteRequest?: ByteRequest;
  contentType: string | null;
  /**
   * The body's length in bytes; null if it was not declared, undefined if the transport has already read the
   * body.
   */
  contentLength?: number | null;
  /** `X-Service-Project`. */
  project: string | null;
  /** `X-Service-End-User`. */
  endUser: string | null;
  /** What is wrong with these two headers; reported only to a caller who is authorised. */
  headerFault: ApiError | null;
  idempotencyKeys: readonly string[];
  /** The headers of an operation that takes `payment`. */
  payment?: SentPayment;
  ip: string | null;
  userAgent: string | null;
  signal: AbortSignal;
  /** Reports the progress of a waiting call to the caller, if the transport can; `step` increases. */
  progress?: Progress;
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

/** The admission of a call, with the most exact selector that covers the call. */
export interface AdmittedCall extends Admission {
  selector: string;
}

/** A call that passed admission and validation. */
export interface ValidCall {
  call: Call;
  /** When the call arrived, on the clock of `performance.now()`. */
  started: number;
  /** Null for a public operation. */
  admission: AdmittedCall | null;
  context: HandlerContext<ParsedInput["params"], ParsedInput["query"], ParsedInput["body"]>;
  /** The response on which the handler sets status and headers. */
  response: CallResponse;
  /** The bytes sent in place of a JSON body. */
  bytes: TrackedBytes | undefined;
  /** Stores the write under its idempotency key; null for a read. */
  record: CallRecord | null;
}

/** How a call ended, before its end is recorded. */
export interface CallOutcome {
  response: CallResponse;
  /** True if the call's audit event is stored already. */
  recorded: boolean;
  /** The stored response, if a crash of the database can still lose it; otherwise null. */
  unflushed: UnflushedResponse | null;
  /** The request whose stored response a replay is, if known. */
  replayOf?: string | null;
}

/** The progress of one attempt at a write. */
export interface CommitProgress {
  /** True once the handler has begun to commit: its effects outside the database have happened. */
  begun: boolean;
  /** True while a commit has been sent and not been answered: it may have happened. */
  committing: boolean;
  /** Set once the effect is committed. */
  outcome: CallOutcome | null;
}

/** The input of a call that a handler makes within another call. */
export interface OwnInput {
  params: Record<string, string>;
  body: unknown;
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

/** Reads a stored output again, so that a replay returns the resource's current state. */
export type Refresh<Output> = (stored: {
  output: Output;
  caller: Caller;
  db: Db;
}) => Promise<{ output: Output; status: 200 | 201 | 202 }>;
