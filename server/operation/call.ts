import type { Db, Transaction } from "#db/client.ts";
import type { Target } from "./access.ts";
import type { ByteRequest } from "./bytes.ts";
import type { Caller } from "./caller.ts";
import type { ApiError, ExhaustedLimit } from "./errors.ts";
import type { CallRecord, UnflushedResponse } from "./idempotency.ts";
import type { ParsedInput } from "./input.ts";
import type { Operation } from "./operation.ts";
import type { StatementBatch } from "./statement-batch.ts";
import type { SentBytes, TrackedBytes } from "./upload.ts";

/** Who calls, as the transport read it. */
export type Credential =
  | { type: "none" }
  /** `path` is the first segment of the address, which an access token has to be for. */
  | { type: "key"; secret: string; path: string }
  | { type: "creditToken"; secret: string }
  /** `secret` is a random of the session: what is sealed for replays opens within it only. */
  | { type: "member"; sessionId: string; accountId: string; secret: string }
  /** A key or a member in whose name the platform itself goes on; `secret` is one of the platform's own. */
  | { type: "storedKey"; hash: string; secret: readonly string[] }
  | { type: "storedMember"; memberId: string; accountId: string; secret: readonly string[] };

/** A call of an operation by any transport. */
export interface Call {
  operation: Operation;
  /** By what way it came. */
  transport: "api" | "mcp" | "console" | "run" | "trigger";
  requestId: string;
  /** The run whose step makes it. */
  runId?: string;
  /** How many runs are above the one that the call creates, where that step waits for it. */
  runDepth?: number;
  /** The time of a trigger that it creates a run for. */
  tick?: CallTick;
  credential: Credential;
  params: Record<string, string>;
  /** Query fields by name; throws on repeated ones. */
  readQuery(): unknown;
  /** The JSON body, bounded; undefined where none was sent. May be called more than once. */
  readBody(): Promise<unknown>;
  /** The raw bytes of an operation that takes those in place of a JSON body. */
  sentBytes?: SentBytes;
  /** How bytes or events are asked for, by a transport that carries them. */
  byteRequest?: ByteRequest;
  contentType: string | null;
  /** How many bytes the body has, null where its length was not sent; missing where the transport has read it. */
  contentLength?: number | null;
  /** `X-Service-Project`. */
  project: string | null;
  /** `X-Service-End-User`. */
  endUser: string | null;
  /** What is wrong with these two, reported only to a caller who may call. */
  headerFault: ApiError | null;
  idempotencyKeys: readonly string[];
  /** The headers of an operation that takes `payment`. */
  payment?: SentPayment;
  ip: string | null;
  userAgent: string | null;
  signal: AbortSignal;
  /** Tells the caller how far a call is that waits, by a transport that can; `step` rises. */
  progress?: Progress;
}

/** A time of a trigger, as the worker has it that starts the run. */
export interface CallTick {
  triggerId: string;
  at: Date;
  /** Of the worker's claim on the trigger. */
  fence: number;
}

export type Progress = (step: number, message: string) => Promise<void>;

/** The x402 payment headers of a request, each as it was sent: none, or once, or more often. */
export interface SentPayment {
  /** `Payment-Signature`. */
  signature: readonly string[];
  /** `X-PAYMENT`, of clients of the protocol's first version. */
  legacy: readonly string[];
}

/** The pipeline's response to a call; transports give it their form. */
export interface CallResponse {
  status: number;
  headers: Record<string, string>;
  /** The envelope as JSON. */
  body: string;
  /** Bytes in its place; null where the response has none of either. */
  bytes?: ReadableStream<Uint8Array> | null;
  error: ApiError | null;
}

/** The state of a limit that governed a call. */
export interface LimitState {
  selector: string;
  kind: ExhaustedLimit["kind"];
  limit: number;
  remaining: number;
  resetMs: number | null;
}

/** A caller that was found; `refusal` says why it may not make the call, if so. */
export interface Admission {
  caller: Caller;
  at: Date;
  /** Whether its expiry moves with each request. */
  renewed: boolean;
  /** To be released when the call ends; null where no concurrency limit governs it. */
  lease: string | null;
  limits: LimitState[];
  /** Whether the call counted against its limits. */
  counted: boolean;
  refusal: ApiError | null;
}

/** The admission of a call, with the most exact selector that covers it. */
export interface AdmittedCall extends Admission {
  selector: string;
}

/** A call that passed admission and validation. */
export interface ValidCall {
  call: Call;
  /** When it arrived, by `performance.now()`. */
  started: number;
  /** Null for a public operation. */
  admission: AdmittedCall | null;
  context: HandlerContext<ParsedInput["params"], ParsedInput["query"], ParsedInput["body"]>;
  /** What the handler sets beside its output. */
  response: CallResponse;
  /** The bytes that were sent in place of a JSON body. */
  bytes: TrackedBytes | undefined;
  /** Where a write is recorded under its idempotency key; null for a read. */
  record: CallRecord | null;
}

/** How a call ended, before its end is recorded. */
export interface Outcome {
  response: CallResponse;
  /** Whether its audit event is stored. */
  recorded: boolean;
  /** The stored response that a crash of the database can still take back; null where none can. */
  unflushed: UnflushedResponse | null;
}

/** What a call that is made within another one sends. */
export interface OwnInput {
  params: Record<string, string>;
  body: unknown;
}

/** The request as a handler sees it. */
export interface CallRequest {
  id: string;
  /** The run whose step makes it, if one does. */
  runId: string | null;
  /** How many runs are above the one that the call creates, each of which waits for the next; 0 where none waits. */
  runDepth: number;
  /** The time of a trigger that the call creates a run for, if it does. */
  tick: CallTick | null;
  /** When it was admitted. */
  at: Date;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** The scheme and host that absolute URLs start with. */
  baseUrl: string;
  idempotencyKey: string | null;
  /** What an operation that takes `payment` was sent; nothing by a transport without headers. */
  payment: SentPayment;
  /**
   * Calls another operation as this call's caller: judged, limited and recorded by itself. The idempotency key is one
   * made of the call's `effectId`, so that a repeat of the whole finds what was done.
   */
  call(operation: Operation, input: OwnInput, idempotencyKey: string): Promise<CallResponse>;
  /** `Last-Event-ID`: the last event that the client of a stream has; null where it begins. */
  lastEventId: string | null;
  /** Judges the caller once more as of now, for this target; throws the refusal. For calls that wait before they answer. */
  judgeAgain(target: Target): Promise<void>;
  progress: Progress | undefined;
  /** Whether content of this type is to be answered as bytes; never where the transport carries none. */
  wantsBytes(mediaType: string): boolean;
}

/** What a handler sets on its response beside the output. */
export interface ResponseSetters {
  /** Sets a response header; replays carry it too. */
  header(name: string, value: string): void;
  /** The exact charge, for `X-Service-Credits-Charged`, audit and usage. */
  charged(credits: number): void;
  /** One of the operation's `otherStatuses`. */
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

/** Ends a call whose effect is outside the database: its last writes and its record share this transaction. */
export interface Commit<Output> {
  (work: (tx: Transaction) => Promise<Output>): Promise<Output>;
  /**
   * As above by a single statement, where the output is known before it: no lock is held over a round trip. Returns the
   * results of the statements.
   */
  batch<Names extends StatementBatch>(
    output: Output,
    statements: Names,
  ): Promise<Record<keyof Names, unknown>>;
  /**
   * Stores something before the call ends, while its key is still its own: a process that was frozen stores nothing of a call
   * that another has taken over.
   */
  before<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/** Reads a stored output again, so that a repeat of a call shows its resource as it is by then. */
export type Refresh<Output> = (stored: {
  output: Output;
  caller: Caller;
  db: Db;
}) => Promise<{ output: Output; status: 200 | 201 | 202 }>;
