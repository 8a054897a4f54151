import { createHash } from "node:crypto";
import type { Db, Transaction } from "#db/client.ts";
import { descriptionOf, titleOf } from "#server/catalogue/action-facts.ts";
import { type CatalogueAction, catalogueActions, denialsOf } from "#server/catalogue/actions.ts";
import { inputOf, jsonSchema } from "#server/catalogue/input-schema.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Issue } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { OfferedTool } from "#server/providers/model/model.ts";
import { WRITE_ARTIFACT } from "./write-artifact.ts";

/** How long a tool's name and description may be, by OpenAI's protocol. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/** An action as a tool of an agent. */
export interface AgentTool {
  name: string;
  action: CatalogueAction;
}

/** Whether it only reads. To start a run is to write, whatever the run does. */
export function readsOnly({ declared, capability }: CatalogueAction): boolean {
  return capability && declared.usesServices === "invoke" ? capability.readOnly : !declared.idempotent;
}

/**
 * What MCP serves, without what answers a secret, which would stand in prompts, and without uploads. Services are used
 * one by one.
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

/** What is wrong with a list of selectors. */
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

/** The tools that these selectors mean; without any, everything that only reads. */
export function selectedTools(selectors: readonly string[] | undefined): AgentTool[] {
  return actions()
    .filter((action) =>
      selectors ? selectors.some((selector) => covers(selector, action)) : readsOnly(action),
    )
    .map((action) => ({ name: toolName(action.operation), action }));
}

/** Of these tools those that the caller may use now. An exhausted limit hides nothing: it passes. */
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

/** A tool as the model gets it. */
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

/** `services.invoke.managed-memory.put` → `services_invoke_managed-memory_put`; a long one ends in its hash. */
function toolName(operation: string): string {
  const name = operation.replaceAll(".", "_");
  if (name.length <= MAX_NAME) return name;
  const hash = createHash("sha256").update(operation).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}_${hash}`;
}
