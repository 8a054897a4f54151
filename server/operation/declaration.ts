import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { ByteOutput } from "./bytes.ts";
import type { Caller } from "./caller.ts";
import type { ErrorCode, Issue } from "./errors.ts";
import type { Scope } from "./scopes.ts";
import type { StreamOutput } from "./stream-result.ts";
import type { RawBody } from "./upload.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Surface = "api" | "mcp" | "console";
export type Shape = z.ZodObject;

/** A payload in a collection of operations of all types: parsed or checked by the schema that is stored beside it. */
// biome-ignore lint/suspicious/noExplicitAny: the one name for payloads whose types are erased.
export type Erased = any;

/** Returns a sentence that tells a deciding person the consequence of approving this input. It must hold no secrets. */
export type Summarize<Input = Erased> = (ask: {
  input: Input;
  caller: Caller;
  db: Transaction;
}) => Promise<string>;

/** A value that an approval would change, before and after; null for no value. */
export interface PlannedChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** Returns the changes that approving this input would make in the current state. It must hold no secrets. */
export type PlanChanges<Input = Erased> = (ask: {
  input: Input;
  caller: Caller;
  db: Db | Transaction;
}) => Promise<PlannedChange[]>;

/** Who has to approve, if the caller does not choose that. */
export interface ApprovalRule {
  /** The minimum number of approvals; the caller may ask for more. */
  requiredApprovals: number;
  initiatorMayApprove: boolean;
  /** Ids of members and keys who may approve; null for everyone with the scope. */
  approvers: readonly string[] | null;
}

/**
 * The service action that must be approved before an endpoint acts; the endpoint's handler consumes the
 * approval.
 */
export interface ApprovalNeed {
  /** The action's operation id within its service, e.g. `deprovision`. */
  operationId: string;
  input: z.ZodType;
  summarize: Summarize;
  changes?: PlanChanges;
  rule?(ask: { input: Erased; caller: Caller; db: Transaction }): Promise<ApprovalRule>;
}

/** The service and the service operation that a call addresses, read leniently before the access decision. */
export interface Target {
  serviceId?: string;
  operationId?: string;
}

/** Reads a stored output again, so that a replay returns the resource's current state. */
export type Refresh<Output> = (stored: {
  output: Output;
  caller: Caller;
  db: Db;
}) => Promise<{ output: Output; status: 200 | 201 | 202 }>;

/** The fields of an operation beside its handler. */
export interface OperationFields<
  Params extends Shape,
  Query extends Shape,
  Body extends Shape,
  Output extends Shape,
  Raw extends Shape,
> {
  /** The selector by which limits and boundaries name the operation, e.g. `projects.create`. */
  id: string;
  /** The OpenAPI operationId, if two paths share one selector. */
  operationId?: string;
  method: Method;
  /** Relative to `/v1`, parameters in braces. */
  path: string;
  /** An imperative phrase, e.g. "Create a project". */
  summary: string;
  /** Facts beyond the summary that a developer must know. */
  description?: string;
  /**
   * The scope that callers need. "any": every active key may call it. Null: public without a key, or
   * restricted by `people`.
   */
  scope: Scope | "any" | null;
  /**
   * Restricts the operation to signed-in people: any member of the account, its owners, or operators of the
   * installation in any account. Needs `scope: null`.
   */
  people?: "members" | "owners" | "operators";
  /**
   * True if a person at the console must have proved their identity recently: the operation moves money or
   * makes keys.
   */
  stepUp?: boolean;
  /** The service whose boundary applies, or a function that reads it from the request. */
  service?: string | ((input: { params: Record<string, string>; body: unknown }) => Target);
  /**
   * How the operation uses services; `<id>.<serviceId>` and `<id>.<serviceId>.<operationId>` then are
   * selectors too.
   */
  usesServices?: "invoke" | "run";
  /** True if calls are charged, so that `creditsPerDay` applies. */
  metered?: boolean;
  /** True if a credit token may replace the bearer key. */
  creditToken?: boolean;
  /** True if the operation is paid for by x402, in headers that the idempotency fingerprint excludes. */
  payment?: boolean;
  /** True if the operation moves money: its response is then replayed for 30 days. */
  movesMoney?: boolean;
  /**
   * True if the response contains a secret: the stored response is then sealed under the caller's credential.
   */
  secretOutput?: boolean;
  /** True if the response to this input may contain a secret; it is then stored like that of `secretOutput`. */
  mayAnswerSecret?(input: { params: Record<string, unknown>; body: Record<string, unknown> }): boolean;
  /** For an operation that is `external`: true if the call of this input reads only, as with `external: "reads"`. */
  readsOnly?(input: { params: Record<string, unknown>; body: Record<string, unknown> }): boolean;
  /** True if the operation can destroy data irrecoverably: a hint for agents and people. */
  destructive?: boolean;
  /** The approval that the operation needs before it acts, always or in some states. */
  approval?: ApprovalNeed;
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * Returns faults of the body that its schema cannot express, as of a moment. The body may be malformed as
   * well; all faults are reported together. Replays are not checked again.
   */
  bodyFaults?(body: Record<string, unknown>, at: Date): Issue[];
  /** Names of body fields whose numbers keep every digit that was sent. */
  writtenNumbers?: readonly string[];
  /** Paths of body fields that carry secrets of other systems, e.g. `secret` or `input.on.webhook.secret`. */
  secretFields?: readonly string[];
  /**
   * Takes raw bytes in place of a JSON body. Such an operation is `external`: no transaction is open while it
   * reads.
   */
  raw?: RawBody<Raw>;
  /** Responds with bytes over HTTP. */
  bytes?: ByteOutput;
  /** Responds to success with server-sent events over HTTP. Other transports do not offer the operation. */
  stream?: StreamOutput;
  /** The fields of a success beside `ok`, which every envelope has. */
  output: Output;
  status?: 200 | 201 | 202;
  /**
   * Further success statuses that `response.status` may set, and when: `{ 200: "It was cancelled before." }`.
   */
  otherStatuses?: Partial<Record<200 | 201 | 202, string>>;
  /** Error codes beyond those of every operation. */
  errors?: ErrorCode[];
  /** Fields beside `error` in errors of a status. */
  errorFields?: Record<number, Shape>;
  /** Reads the resource again for a replay, in place of the stored response. */
  refresh?: Refresh<Erased>;
  /** The transports that offer the operation; all three by default. */
  surfaces?: Surface[];
  /** True if the console may be answered from a replica, with data up to five seconds old. */
  mayLag?: boolean;
  /** Marks the operation as going away. */
  deprecation?: { since: string; sunset: string; successor: string; note: string };
  /** Examples for the reference, by field. */
  examples?: {
    body?: unknown;
    headers?: Record<string, string>;
    query?: Record<string, string>;
    output?: unknown;
  };
}
