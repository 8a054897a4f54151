import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { Target } from "./access.ts";
import type { ByteOutput, ByteResult } from "./bytes.ts";
import type { Commit, HandlerContext, Refresh } from "./call.ts";
import type { Caller } from "./caller.ts";
import type { ErrorCode, Issue } from "./errors.ts";
import type { SerializedResult } from "./response.ts";
import type { Scope } from "./scopes.ts";
import type { StreamOutput, StreamResult } from "./stream.ts";
import type { RawBody, Upload } from "./upload.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Surface = "api" | "mcp" | "console";
type Shape = z.ZodObject;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

/** A payload where operations of all kinds are kept: parsed, or checked, with the schema that is kept beside. */
// biome-ignore lint/suspicious/noExplicitAny: the one name for payloads whose types are erased.
export type Erased = any;

/** A sentence about what an approval of this input would allow, for a person who decides. It holds no secrets. */
export type Summarize<Input = Erased> = (ask: {
  input: Input;
  caller: Caller;
  db: Transaction;
}) => Promise<string>;

/** Who has to approve, where it is not for the caller to say. */
export interface ApprovalRule {
  /** At least; the caller may ask for more. */
  requiredApprovals: number;
  initiatorMayApprove: boolean;
  /** Ids of members and keys; null for everyone with the scope. */
  approvers: readonly string[] | null;
}

/** The service action that is approved before an endpoint acts; its handler uses the approval up. */
export interface ApprovalNeed {
  /** Names the action within its service, e.g. `deprovision`. */
  operationId: string;
  input: z.ZodType;
  summarize: Summarize;
  rule?(ask: { input: Erased; caller: Caller; db: Transaction }): Promise<ApprovalRule>;
}

interface OperationFields<
  Params extends Shape,
  Query extends Shape,
  Body extends Shape,
  Output extends Shape,
  Raw extends Shape,
> {
  /** The limit operation, e.g. `projects.create`. */
  id: string;
  /** The OpenAPI operationId, where two paths share one limit operation. */
  operationId?: string;
  method: Method;
  /** Relative to `/v1`, parameters in braces. */
  path: string;
  /** An imperative phrase. */
  summary: string;
  /** What a developer must know beyond the summary. */
  description?: string;
  /** "any": for every key that counts, whatever its policy. Null: public, without a key; or for people, whatever their scopes. */
  scope: Scope | "any" | null;
  /** For people alone, who hold no scope for it: any member of the account, or its owners. Needs `scope: null`. */
  people?: "members" | "owners";
  /** Whether a person at the console must have proved their identity lately: what moves money or makes keys. */
  stepUp?: boolean;
  /** The service whose boundary applies, or how to read it from the request. */
  service?: string | ((input: { params: Record<string, string>; body: unknown }) => Target);
  /** How it uses services; then `<id>.<serviceId>` and `<id>.<serviceId>.<operationId>` are selectors of it too. */
  usesServices?: "invoke" | "run";
  /** Whether its calls are charged, so that `creditsPerDay` applies. */
  metered?: boolean;
  /** Whether a credit token may stand in for the bearer key (spec, "First key"). */
  creditToken?: boolean;
  /** Whether it is paid for by x402, in headers that the idempotency fingerprint leaves out. */
  payment?: boolean;
  /** Whether it moves money: then its answer is replayed for 30 days. */
  movesMoney?: boolean;
  /** Whether the answer holds a secret: then what is stored for replays is sealed under the caller's credential. */
  secretOutput?: boolean;
  /** Whether it can destroy what can't be brought back: a hint for agents and people. */
  destructive?: boolean;
  /** What has to be approved before it acts, always or in some states. */
  approval?: ApprovalNeed;
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * Faults of the body that its schema can't find, as of a moment; the body may have faults of its form too, and all are
   * reported together. A repeat of an earlier call is not judged by it again.
   */
  bodyFaults?(body: Record<string, unknown>, at: Date): Issue[];
  /** Fields of the body, by name, whose numbers keep every digit that was sent. */
  writtenNumbers?: readonly string[];
  /** Fields of the body that are meant for secrets of other systems. */
  secretFields?: readonly string[];
  /** Takes raw bytes in place of a JSON body. Such an operation is `external`: no transaction is open meanwhile. */
  raw?: RawBody<Raw>;
  /** Answers bytes over HTTP. */
  bytes?: ByteOutput;
  /** Streams events over HTTP (server-sent events), where it answers no error. Other transports do not have it. */
  stream?: StreamOutput;
  /** Without `ok`, which every envelope has. */
  output: Output;
  status?: 200 | 201 | 202;
  /** The statuses that `response.status` may set instead, and when: `{ 200: "It was cancelled before." }`. */
  otherStatuses?: Partial<Record<200 | 201 | 202, string>>;
  /** Beyond those that every operation can answer. */
  errors?: ErrorCode[];
  /** What errors of a status carry beside `error`. */
  errorFields?: Record<number, Shape>;
  /** Makes a repeat of a call answer its thing as it is at that time, in place of the stored answer. */
  refresh?: Refresh<Erased>;
  /** By default all three. */
  surfaces?: Surface[];
  /** Whether people at the console may be answered from a replica, with what was so up to five seconds ago. */
  mayLag?: boolean;
  /** Marks the operation as going away (spec, "Versioning"). */
  deprecation?: { since: string; sunset: string; successor: string; note: string };
  /** Examples for the reference, by field. */
  examples?: {
    body?: unknown;
    headers?: Record<string, string>;
    query?: Record<string, string>;
    output?: unknown;
  };
}

type Handler<Params, Query, Body, Output, Raw> =
  | {
      idempotent?: false;
      external?: false;
      handler(
        context: HandlerContext<Params, Query, Body> & { db: Db },
      ): Promise<Output | ByteResult | SerializedResult | StreamResult>;
    }
  | {
      /** Needs an Idempotency-Key; the effect and the record of the call share one transaction. */
      idempotent: true;
      external?: false;
      handler(context: HandlerContext<Params, Query, Body> & { db: Transaction }): Promise<Output>;
    }
  | {
      /**
       * Needs an Idempotency-Key, and acts outside the database, or only reads there: the handler ends with `commit`.
       * `effectId`, a UUID, is the same in every repeat of the call until it has an answer.
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

/** An operation as the pipeline and the transports see it, its payload types erased. */
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

/** An operation whose names are known to the compiler: the console's procedures are typed by them. */
type Declared<Id, OperationId, Verb> = Operation & { id: Id; operationId: OperationId; method: Verb };

type None = Record<never, never>;
// zod says of an object without fields that every field is forbidden, which would forbid those beside it.
type In<Schema extends Shape> = keyof Schema["shape"] extends never ? None : z.input<Schema>;

/**
 * Declares an operation, once. The HTTP route, the access decision, limits, idempotency, OpenAPI, the MCP tool,
 * the console's procedure and the reference page are derived from it.
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

/** The scope that its callers need; null where they need none. */
export function scopeOf({ scope }: Pick<Operation, "scope">): Scope | null {
  return scope === "any" ? null : scope;
}

/** Whether it may be called by anybody, without a key. */
export function isPublic({ scope, people }: Pick<Operation, "scope" | "people">): boolean {
  return scope === null && people === undefined;
}
