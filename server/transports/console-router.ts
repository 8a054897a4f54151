import {
  initTRPC,
  type TRPCBuiltRouter,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from "@trpc/server";
import { newId } from "#server/ids.ts";
import type { SessionToken } from "#server/members/session-token.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { type Call, execute } from "#server/operation/execute.ts";
import { splitInput } from "#server/operation/merged-input.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { operations } from "#server/operations.ts";
import { platform } from "#server/platform.ts";
import { asPlatformError, trpcCodeOf } from "./trpc-errors.ts";

/** What a call of the console brings beside its input. */
export interface ConsoleContext {
  requestId: string;
  session: SessionToken | null;
  /** Where the page that calls was loaded from; null for calls by the server's own rendering. */
  origin: string | null;
  idempotencyKeys: readonly string[];
  /** `X-Service-Project`: what the console is narrowed to. */
  project: string | null;
  ip: string | null;
  userAgent: string | null;
}

const t = initTRPC.context<ConsoleContext>().create({
  errorFormatter({ shape, error, path, ctx }) {
    const requestId = ctx?.requestId ?? newId("request");
    const reason = asPlatformError(error, requestId);
    return {
      code: shape.code,
      message: reason.message,
      data: {
        code: shape.data.code,
        httpStatus: reason.status,
        path,
        /** The `error` of the platform's envelope (WIRE.md, "Errors"). */
        error: errorBody(reason, requestId, platform().settings.baseUrl),
      },
    };
  },
});

const read = t.procedure.input((input: unknown) => input);

/** A browser sends the Origin of the page with every POST: only our own pages may act for the person. */
const write = read.use(({ ctx, next }) => {
  const { baseUrl } = platform().settings;
  if (ctx.origin === baseUrl) return next();
  throw failureOf(
    new ApiError(
      "policy_denied",
      `The request comes from ${ctx.origin ?? "no page"}; only pages of ${baseUrl} (BASE_URL) may act.`,
    ),
  );
});

function failureOf(error: ApiError): TRPCError {
  return new TRPCError({ code: trpcCodeOf(error.status), message: error.message, cause: error });
}

function callOf(
  operation: Operation,
  ctx: ConsoleContext,
  input: unknown,
  signal: AbortSignal | undefined,
): Call {
  if (!ctx.session && operation.scope !== null)
    throw failureOf(new ApiError("unauthenticated", "You are not signed in. Sign in first."));
  return {
    operation,
    requestId: ctx.requestId,
    credential:
      ctx.session && operation.scope !== null ? { type: "member", ...ctx.session } : { type: "none" },
    ...splitInput(operation, input),
    contentType: null,
    project: ctx.project,
    endUser: null,
    idempotencyKeys: ctx.idempotencyKeys,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    signal: signal ?? new AbortController().signal,
  };
}

function procedureOf(operation: Operation) {
  const resolve = async (call: { ctx: ConsoleContext; input: unknown; signal: AbortSignal | undefined }) => {
    const answer = await execute(callOf(operation, call.ctx, call.input, call.signal));
    if (answer.error) throw failureOf(answer.error);
    const { ok: _, ...output } = JSON.parse(answer.body);
    return output;
  };
  return operation.method === "GET" ? read.query(resolve) : write.mutation(resolve);
}

interface Procedures {
  [name: string]: ReturnType<typeof procedureOf> | Procedures;
}

/** `projects.list` → `{ projects: { list } }`. */
function nested(operations: readonly Operation[]): Procedures {
  const root: Procedures = {};
  for (const operation of operations) {
    const names = operation.operationId.split(".");
    const last = names.pop() as string;
    let at = root;
    for (const name of names) {
      at[name] ??= {};
      if (typeof at[name] === "function")
        throw new Error(`${operation.operationId} lies below another operation.`);
      at = at[name];
    }
    if (at[last]) throw new Error(`Two operations are called ${operation.operationId}.`);
    at[last] = procedureOf(operation);
  }
  return root;
}

type Input<Op> = Op extends { "~input"?: infer In } ? Loose<NonNullable<In>> : never;
/** What has only optional fields may be left out altogether. */
// biome-ignore lint/suspicious/noConfusingVoidType: void is what lets a caller leave an argument out.
type Loose<In> = Record<never, never> extends In ? In | void : In;
type Output<Op> = Op extends { "~output"?: infer Out } ? NonNullable<Out> : never;
type Definition<Op> = { meta: unknown; input: Input<Op>; output: Output<Op> };
type ProcedureOf<Op> = Op extends { method: "GET" }
  ? TRPCQueryProcedure<Definition<Op>>
  : TRPCMutationProcedure<Definition<Op>>;

type Flat<Op> = {
  [One in Op as One extends { operationId: infer Id extends string } ? Id : never]: ProcedureOf<One>;
};
type First<Id> = Id extends `${infer Head}.${string}` ? Head : Id;
type Nested<All> = {
  [Head in First<keyof All> & string]: Head extends keyof All
    ? All[Head]
    : Nested<{ [Id in keyof All as Id extends `${Head}.${infer Rest}` ? Rest : never]: All[Id] }>;
};
type Root = (typeof t)["_config"]["$types"];

/** The type that the console's client is made of: a procedure for each operation. */
export type ConsoleRouter = TRPCBuiltRouter<Root, Nested<Flat<(typeof operations)[number]>>>;

/** The router over these operations: reads are queries, writes are mutations. */
export function createConsoleRouter(all: readonly Operation[]): ConsoleRouter {
  // The types are those of the registry, from which the record is made.
  return t.router(
    nested(all.filter((operation) => operation.surfaces.includes("console"))),
  ) as unknown as ConsoleRouter;
}
