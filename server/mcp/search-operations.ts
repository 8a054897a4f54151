import { z } from "zod";
import { isWrite, titleOf } from "#server/catalogue/action-text.ts";
import { catalogueActions, denialsOf } from "#server/catalogue/actions.ts";
import { jsonSchema } from "#server/catalogue/input-schema.ts";
import { platform } from "#server/platform.ts";
import { argumentsOf } from "./arguments.ts";
import { rank } from "./rank.ts";
import { answerOf, type Tool } from "./tool.ts";

const Search = z.strictObject({
  query: z
    .string()
    .max(200)
    .optional()
    .describe("Words that describe the task, e.g. create project. Without them, every operation is listed."),
  kind: z.enum(["read", "write"]).optional().describe("Only operations that read, or that change something."),
  allowed: z.boolean().optional().describe("Only operations that this key may, or may not, use."),
  limit: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe("The maximum number of operations in the result."),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional()
    .describe("nextCursor of the previous page."),
});

/** The tool that finds operations by words, so that a host does not need a tool for each. */
export const searchOperations: Tool = {
  name: "search_operations",
  title: "Search operations",
  description:
    "Finds operations of the platform by words: everything it can do, managed services included. Returns their names, for describe_operation, execute_read and execute_write, and whether this key may use them.",
  inputSchema: jsonSchema(Search, "input"),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  fieldPrefix: "",
  async run(args, { operations, caller }) {
    const { query, kind, allowed, limit, cursor } = argumentsOf(Search, args);
    const start = Number(cursor ?? 0);
    const actions = catalogueActions(operations);
    const ranked = query ? rank(actions, query) : actions;
    const denials = await denialsOf(platform().database.db, caller, ranked);
    const found = ranked
      .map((action, index) => ({ action, deniedBy: denials[index] ?? null }))
      .filter(({ action }) => kind === undefined || isWrite(action) === (kind === "write"))
      .filter(({ deniedBy }) => allowed === undefined || (deniedBy === null) === allowed);
    return answerOf({
      operations: found.slice(start, start + limit).map(({ action, deniedBy }) => ({
        operation: action.operation,
        title: titleOf(action),
        kind: isWrite(action) ? "write" : "read",
        allowed: deniedBy === null,
        deniedBy,
      })),
      nextCursor: found.length > start + limit ? String(start + limit) : null,
    });
  },
};
