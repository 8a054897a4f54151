import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { type CatalogueAction, catalogueActions } from "#server/catalogue/actions.ts";
import type { JsonSchema } from "#server/catalogue/input-schema.ts";
import type { Call } from "#server/operation/call.ts";
import type { CallResponse } from "#server/operation/call-response.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { rank } from "./rank.ts";

/** An admitted MCP message, for its tools. */
export interface Message {
  caller: Caller;
  /** The operations that MCP offers. */
  operations: readonly Operation[];
  /** The properties that every call of the message takes from its headers. */
  sender: Pick<
    Call,
    "credential" | "project" | "endUser" | "headerFault" | "ip" | "userAgent" | "signal" | "progress"
  >;
  /** A tool's refusal that shows an app how to request more access; it is returned as an HTTP response. */
  challenge?: { answer: CallResponse; requestId: string };
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: ToolAnnotations;
  /** The location of the arguments' fields that pipeline errors name: `input.` or empty. */
  fieldPrefix: string;
  run(args: unknown, message: Message, requestId: string): Promise<CallResponse>;
}

/** Returns the action with this name; if there is none, the error names the nearest ones. */
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

/** Returns a tool's own result in the API's envelope. */
export function answerOf(output: Record<string, unknown>): CallResponse {
  return { status: 200, headers: {}, body: JSON.stringify({ ok: true, ...output }), error: null };
}
