import { z } from "zod";
import { denialsOf } from "./access.ts";
import { type Action, isWrite } from "./action.ts";
import { argumentsOf } from "./arguments.ts";
import { inputOf, jsonSchema } from "./input-schema.ts";
import { actionNamed, answerOf, type Tool } from "./tool.ts";

const Describe = z.strictObject({
  operation: z.string().max(300).describe("The operation's name, as search_operations answers it."),
});

/** What the answer's schema is, with what a service's operation answers in its place. */
function outputOf({ operation, target }: Action): z.ZodType {
  if (!target || !("result" in operation.output.shape)) return operation.output;
  return z.object({ ...operation.output.shape, result: target.capability.output });
}

/** Tells all that a caller must know of an operation before he uses it. */
export const describeOperation: Tool = {
  name: "describe_operation",
  title: "Describe an operation",
  description:
    "Tells what an operation does, which tool runs it, the JSON Schema of its input and of its answer, what it can destroy, what it costs, the errors it can answer, and whether this key may use it.",
  inputSchema: jsonSchema(Describe, "input"),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  fieldPrefix: "",
  async run(args, message) {
    const action = actionNamed(argumentsOf(Describe, args).operation, message);
    const { operation, target } = action;
    const [deniedBy = null] = await denialsOf(message.caller, [action]);
    return answerOf({
      operation: {
        name: action.name,
        title: action.title,
        description: action.description,
        tool: isWrite(action) ? "execute_write" : "execute_read",
        method: operation.method,
        path: operation.path,
        scope: operation.scope,
        idempotencyKeyRequired: operation.idempotent,
        readOnly: target?.capability.readOnly ?? !isWrite(action),
        destructive: target?.capability.destructive ?? operation.destructive ?? false,
        requiresApproval: target?.capability.requiresApproval ?? false,
        price: target?.capability.price ?? null,
        allowed: deniedBy === null,
        deniedBy,
        inputSchema: jsonSchema(inputOf(action), "input"),
        outputSchema: jsonSchema(outputOf(action), "output"),
        errors: operation.errors ?? [],
        examples: operation.examples ?? null,
        deprecation: operation.deprecation ?? null,
      },
    });
  },
};
