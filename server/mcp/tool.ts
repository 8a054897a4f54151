import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { type CatalogueAction, catalogueActions } from "#server/catalogue/actions.ts";
import type { JsonSchema } from "#server/catalogue/input-schema.ts";
import type { Call, CallResponse } from "#server/operation/call.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { rank } from "./rank.ts";

/** An MCP message that was let in, as its tools see it. */
export interface Message {
  caller: Caller;
  /** What MCP serves. */
  operations: readonly Operation[];
  /** What every call that the message asks for has from its headers. */
  sender: Pick<
    Call,
    "credential" | "project" | "endUser" | "headerFault" | "ip" | "userAgent" | "signal" | "progress"
  >;
  /** The refusal of a tool's call that shows an app how to ask for more access; it is answered by HTTP. */
  challenge?: { answer: CallResponse; requestId: string };
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: ToolAnnotations;
  /** Where the arguments' fields stand that an error of the pipeline names: `input.` or nothing. */
  fieldPrefix: string;
  run(args: unknown, message: Message, requestId: string): Promise<CallResponse>;
}

/** The action with this name; names the nearest ones where there is none. */
export function actionNamed(name: string, { operations }: Message): CatalogueAction {
  const actions = catalogueActions(operations);
  const found = actions.find((action) => action.operation === name);
  if (found) return found;
  const near = rank(actions, name).slice(0, 5);
  const advice =
    near.length > 0
      ? `Near it: ${near.map((action) => action.operation).join(", ")}.`
      : "Find one with search_operations.";
  throw new ApiError("not_found", `No operation ${name}. ${advice}`, {
    issues: [{ path: "arguments.operation", message: `No operation ${name}.` }],
  });
}

/** A tool's own answer, in the envelope of the API. */
export function answerOf(output: Record<string, unknown>): CallResponse {
  return { status: 200, headers: {}, body: JSON.stringify({ ok: true, ...output }), error: null };
}
