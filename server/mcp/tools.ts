import { isWrite } from "#server/catalogue/action-text.ts";
import type { CatalogueAction } from "#server/catalogue/actions.ts";
import type { Operation } from "#server/operation/operation.ts";
import { describeOperation } from "./describe-operation.ts";
import { executeRead, executeWrite, namedTool } from "./execute-tools.ts";
import { searchOperations } from "./search-operations.ts";
import type { Tool } from "./tool.ts";

/** The most used operations, which have their own tools; with the four general tools there are at most twelve. */
const NAMED = [
  "capabilities.list",
  "services.invoke",
  "runs.create",
  "runs.read",
  "projects.list",
  "databases.query",
  "usage.read",
  "credits.balance.read",
];

const named = new WeakMap<Operation, Tool>();

/** Returns the tools that find and run these actions. */
export function toolsOf(actions: readonly CatalogueAction[]): Tool[] {
  return [
    searchOperations,
    describeOperation,
    ...(actions.some((action) => !isWrite(action)) ? [executeRead] : []),
    ...(actions.some(isWrite) ? [executeWrite] : []),
    ...NAMED.flatMap((name) => {
      const action = actions.find((action) => action.operation === name);
      return action ? toolOf(action) : [];
    }),
  ];
}

function toolOf(action: CatalogueAction): Tool {
  const tool = named.get(action.declared) ?? namedTool(action);
  named.set(action.declared, tool);
  return tool;
}
