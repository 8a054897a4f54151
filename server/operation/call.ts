import type { Admission } from "./admission.ts";
import type { ByteRequest } from "./bytes.ts";
import type { CallResponse } from "./call-response.ts";
import type { ApiError } from "./errors.ts";
import type { CallRecord, UnflushedResponse } from "./idempotency.ts";
import type { ParsedInput } from "./input.ts";
import type { CallTick, HandlerContext, Operation, Progress, SentPayment } from "./operation.ts";
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
  /** The fault of these two headers; reported only to an authorised caller. */
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
  /** True if the call acts outside the database, "reads" if it only reads there. */
  external: Operation["external"];
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
