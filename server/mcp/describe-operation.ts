import { z } from "zod";
import { descriptionOf, isWrite, titleOf } from "#server/catalogue/action-text.ts";
import { type CatalogueAction, denialsOf } from "#server/catalogue/actions.ts";
import { inputOf, jsonSchema } from "#server/catalogue/input-schema.ts";
import { platform } from "#server/platform.ts";
import { argumentsOf } from "./arguments.ts";
import { actionNamed, answerOf, type Tool } from "./tool.ts";

const Describe = z.strictObject({
  operation: z.string().max(300).describe("The operation's name, as returned by search_operations."),
});

/** Returns the response schema; for a call of a service, with the schema of that service operation's result. */
function outputOf({ declared, capability }: CatalogueAction): z.ZodType {
  if (!capability || !("result" in declared.output.shape)) return declared.output;
  return z.object({ ...declared.output.shape, result: capability.output });
}

/** The tool that describes an operation to a caller who has not used it. */
export const describeOperation: Tool = {
  name: "describe_operation",
  title: "Describe an operation",
  description:
    "Returns an operation's description, the tool that runs it, the JSON Schemas of its input and result, whether it can destroy data, its price, its error codes, and whether this key may use it.",
  inputSchema: jsonSchema(Describe, "input"),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  fieldPrefix: "",
  async run(args, message) {
    const action = actionNamed(argumentsOf(Describe, args).operation, message);
    const { declared, capability } = action;
    const [deniedBy = null] = await denialsOf(platform().database.db, message.caller, [action]);
    return answerOf({
      operation: {
        name: action.operation,
        title: titleOf(action),
        description: descriptionOf(action),
        tool: isWrite(action) ? "execute_write" : "execute_read",
        method: declared.method,
        path: action.path,
        scope: action.scope,
        idempotencyKeyRequired: declared.idempotent,
        readOnly: capability?.readOnly ?? !isWrite(action),
        destructive: capability?.destructive ?? declared.destructive ?? false,
        requiresApproval: capability?.requiresApproval ?? false,
        price: capability?.price ?? null,
        allowed: deniedBy === null,
        deniedBy,
        inputSchema: jsonSchema(inputOf(action), "input"),
        outputSchema: jsonSchema(outputOf(action), "output"),
        errors: declared.errors ?? [],
        examples: declared.examples ?? null,
        deprecation: declared.deprecation ?? null,
      },
    });
  },
};
