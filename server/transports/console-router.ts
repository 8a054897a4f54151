import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import { defined } from "#server/base/defined.ts";
import { sessionEnded } from "#server/members/person.ts";
import type { Call } from "#server/operation/call.ts";
import { execute } from "#server/operation/execute.ts";
import { splitInput } from "#server/operation/merged-input.ts";
import { isPublic, type Operation } from "#server/operation/operation.ts";
import type { operations } from "#server/operations.ts";
import { bindCursor, resolveSpan } from "./moving-start.ts";
import { type PersonProcedures, personProcedures } from "./person-procedures.ts";
import { type ConsoleContext, failureOf, read, t, write } from "./procedures.ts";

/** First words of operations on resources of the whole account: no chosen project narrows them. */
export const OF_ACCOUNT: ReadonlySet<string> = new Set(["databases", "endUsers", "projects", "storage"]);

/** True if an operation concerns the account or a person in it; resources that a search finds belong to the project. */
const isOfAccount = ({ operationId, people }: Operation) =>
  (people !== undefined && operationId !== "search.list") ||
  OF_ACCOUNT.has(operationId.slice(0, operationId.indexOf(".")));

/** Returns the project that a call is restricted to: the chosen one, unless the input itself names one. */
function projectOf(operation: Operation, { project }: ConsoleContext, input: unknown): string | null {
  const { operationId } = operation;
  if (project === null || isOfAccount(operation)) return null;
  if (typeof input !== "object" || input === null) return project;
  // A project's rows may refer by id to resources of the account, such as the key of a call; and a key can always be
  // revoked.
  const byId = (operationId === "search.list" && "ids" in input) || operationId === "apiKeys.revoke";
  return byId || ("projectId" in input && input.projectId) ? null : project;
}

function callOf(
  operation: Operation,
  ctx: ConsoleContext,
  input: unknown,
  signal: AbortSignal | undefined,
): Call {
  return {
    operation,
    transport: "console",
    requestId: ctx.requestId,
    credential: ctx.session && !isPublic(operation) ? { type: "member", ...ctx.session } : { type: "none" },
    ...splitInput(operation, input),
    contentType: null,
    project: projectOf(operation, ctx, input),
    endUser: null,
    headerFault: null,
    idempotencyKeys: ctx.idempotencyKeys,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    signal: signal ?? new AbortController().signal,
  };
}

/** Checked before parsing: without a session, only public operations may be called. */
const signedIn = t.middleware(({ ctx, next }) => {
  if (!ctx.session) throw failureOf(sessionEnded());
  return next();
});
const anybody = t.middleware(({ next }) => next());

function procedureOf(operation: Operation) {
  const isRead = operation.method === "GET";
  const resolve = async (call: { ctx: ConsoleContext; input: unknown; signal: AbortSignal | undefined }) => {
    const { sent, start } = isRead ? resolveSpan(call.input) : { sent: call.input, start: null };
    const answer = await execute(callOf(operation, call.ctx, sent, call.signal));
    if (answer.error) throw failureOf(answer.error);
    const { ok: _, ...output } = JSON.parse(answer.body);
    return start === null ? output : bindCursor(output, start);
  };
  const asSent = (input: unknown) => input;
  const caller = isPublic(operation) ? anybody : signedIn;
  return isRead
    ? read.use(caller).input(asSent).query(resolve)
    : write.use(caller).input(asSent).mutation(resolve);
}

interface Procedures {
  [name: string]: ReturnType<typeof procedureOf> | Procedures;
}

/** `projects.list` → `{ projects: { list } }`. */
function nested(operations: readonly Operation[]): Procedures {
  const root: Procedures = {};
  for (const operation of operations) {
    const names = operation.operationId.split(".");
    const last = defined(names.pop());
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
/** An input with only optional fields may be omitted. */
// biome-ignore lint/suspicious/noConfusingVoidType: void lets a caller leave an argument out.
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

/** The type of the console's client: a procedure for each operation, and the procedures of a person. */
export type ConsoleRouter = TRPCBuiltRouter<
  Root,
  Nested<Flat<(typeof operations)[number]>> & PersonProcedures
>;

/** Returns the router over these operations: reads are queries, writes are mutations. */
export function createConsoleRouter(all: readonly Operation[]): ConsoleRouter {
  // The static type derives from the registry, from which the record is built as well.
  return t.router({
    ...nested(all.filter(({ surfaces, stream }) => surfaces.includes("console") && !stream)),
    ...personProcedures,
  }) as unknown as ConsoleRouter;
}
