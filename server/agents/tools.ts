import { createHash } from "node:crypto";
import type { Db, Transaction } from "#db/client.ts";
import { descriptionOf, titleOf } from "#server/catalogue/action-text.ts";
import { type CatalogueAction, catalogueActions, denialsOf } from "#server/catalogue/actions.ts";
import { inputOf, jsonSchema } from "#server/catalogue/input-schema.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Issue } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { OfferedTool } from "#server/providers/model/model.ts";
import { WRITE_ARTIFACT } from "./write-artifact.ts";

/** The maximum length of a tool's name and description in OpenAI's protocol. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/** An action as an agent's tool. */
export interface AgentTool {
  name: string;
  action: CatalogueAction;
}

/** True if the action only reads. Starting a run counts as a write, whatever the run does. */
export function readsOnly({ declared, capability }: CatalogueAction): boolean {
  return capability && declared.usesServices === "invoke" ? capability.readOnly : !declared.idempotent;
}

/**
 * Returns the actions of MCP without uploads and without those that return secrets, which would end up in prompts.
 * Each operation of a service is an action.
 */
function actions(): CatalogueAction[] {
  const served = platform().operations.filter(({ surfaces }) => surfaces.includes("mcp"));
  return catalogueActions(served).filter(
    ({ declared, capability }) =>
      !declared.secretOutput && !declared.raw && (capability !== null || !declared.usesServices),
  );
}

const covers = (selector: string, { operation, limitSelectors }: CatalogueAction): boolean =>
  selector === "*" || selector === operation || limitSelectors.includes(selector);

/** Returns the faults of a list of selectors. */
export function selectorIssues(selectors: readonly string[] = []): Issue[] {
  const known = actions();
  return selectors.flatMap((selector, nth) =>
    selector === WRITE_ARTIFACT || known.some((action) => covers(selector, action))
      ? []
      : [
          {
            path: `tools.${nth}`,
            message: `No agent can be given ${JSON.stringify(selector)}. GET /v1/actions lists what there is.`,
          },
        ],
  );
}

/** Returns the tools of these selectors; without selectors, every action that only reads. */
export function selectedTools(selectors: readonly string[] | undefined): AgentTool[] {
  return actions()
    .filter((action) =>
      selectors ? selectors.some((selector) => covers(selector, action)) : readsOnly(action),
    )
    .map((action) => ({ name: toolName(action.operation), action }));
}

/** Returns the tools that the caller may use now. A tool with an exhausted limit stays, since the limit resets. */
export async function allowedTools(
  db: Db | Transaction,
  caller: Caller,
  tools: readonly AgentTool[],
): Promise<AgentTool[]> {
  const denials = await denialsOf(
    db,
    caller,
    tools.map(({ action }) => action),
  );
  return tools.filter((_, nth) => !denials[nth] || denials[nth].check === "limit");
}

/** Returns a tool in the model's format. */
export function offer({ name, action }: AgentTool, approveWrites: boolean): OfferedTool {
  const credits = action.question?.credits ?? 0;
  const description = [
    `${titleOf(action)}. ${descriptionOf(action)}`,
    credits > 0 && `Costs up to ${credits} credits.`,
    approveWrites && !readsOnly(action) && "A person approves each call first.",
  ];
  const { $schema: _, ...inputSchema } = jsonSchema(inputOf(action), "input");
  return { name, description: description.filter(Boolean).join(" ").slice(0, MAX_DESCRIPTION), inputSchema };
}

/**
 * Returns the tool's name: `services.invoke.managed-memory.put` → `services_invoke_managed-memory_put`; a long name
 * ends in its hash.
 */
function toolName(operation: string): string {
  const name = operation.replaceAll(".", "_");
  if (name.length <= MAX_NAME) return name;
  const hash = createHash("sha256").update(operation).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}_${hash}`;
}
