import { z } from "zod";
import { descriptionOf, isWrite, titleOf } from "#server/catalogue/action-text.ts";
import type { CatalogueAction } from "#server/catalogue/actions.ts";
import { inputOf, jsonSchema } from "#server/catalogue/input-schema.ts";
import { invalid } from "#server/operation/errors.ts";
import { argumentsOf } from "./arguments.ts";
import { callAction } from "./call-action.ts";
import { actionNamed, type Tool } from "./tool.ts";

const idempotencyKey = z
  .string()
  .describe(
    "Required if the operation changes something: 8 to 200 letters, digits, : . _ or -. Choose a new key for each change. Reuse a key only to repeat a call whose outcome you do not know; the change then happens once.",
  );

const Execute = z.strictObject({
  operation: z
    .string()
    .max(300)
    .describe("The operation's name, as returned by search_operations, e.g. projects.list."),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "The operation's fields (path, query and body in one object); describe_operation returns their schema.",
    ),
  idempotencyKey: idempotencyKey.optional(),
});

const Named = z.looseObject({ idempotencyKey: z.string().optional() });

function executor(write: boolean, facts: Pick<Tool, "name" | "title" | "description" | "annotations">): Tool {
  return {
    ...facts,
    inputSchema: jsonSchema(Execute, "input"),
    fieldPrefix: "input.",
    async run(args, message, requestId) {
      const { operation, input = {}, idempotencyKey } = argumentsOf(Execute, args);
      const action = actionNamed(operation, message);
      if (isWrite(action) !== write) {
        const [does, other] = write ? ["only reads", "execute_read"] : ["changes something", "execute_write"];
        throw invalid("arguments.operation", `${operation} ${does}. Call ${other} with the same arguments.`);
      }
      return callAction(action, { input, idempotencyKey }, message, requestId);
    },
  };
}

export const executeRead = executor(false, {
  name: "execute_read",
  title: "Run a reading operation",
  description:
    "Runs any operation that only reads. Find its name with search_operations and its input with describe_operation. Lists return nextCursor: send it as input.cursor for the next page, and input.limit (1 to 100) for shorter pages.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

export const executeWrite = executor(true, {
  name: "execute_write",
  title: "Run a changing operation",
  description:
    "Runs any operation that creates, changes, sends, pays or deletes, and every call of a managed service. Needs idempotencyKey: with the same key and input the change happens once, and a repeat gets the first result. Call describe_operation first: it says what is destructive.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
});

/** Returns a tool for a single action; the action's fields are its arguments. */
export function namedTool(action: CatalogueAction): Tool {
  const { operation, declared } = action;
  const title = titleOf(action);
  const write = isWrite(action);
  return {
    name: operation.replaceAll(".", "_"),
    title,
    description: `${title}. ${descriptionOf(action)} As an operation: ${operation}.`,
    inputSchema: jsonSchema(write ? inputOf(action).extend({ idempotencyKey }) : inputOf(action), "input"),
    annotations: {
      readOnlyHint: !write,
      destructiveHint: declared.destructive ?? declared.usesServices !== undefined,
      idempotentHint: true,
      openWorldHint: declared.external !== false,
    },
    fieldPrefix: "",
    async run(args, message, requestId) {
      const { idempotencyKey, ...input } = argumentsOf(Named, args);
      return callAction(action, { input, idempotencyKey }, message, requestId);
    },
  };
}
