import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { type CatalogueAction, catalogueActions } from "#server/catalogue/actions.ts";
import { invalid } from "#server/operation/errors.ts";
import { judgeCall, KEY_CHECKS, type PricedQuestion } from "#server/operation/explain-access.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { KeyDecision } from "./access/schema.ts";
import { LIMIT_KINDS } from "./delegation.ts";
import { type LimitRow, limitsOf, managedChain, toApiKeys } from "./queries.ts";

export const explainKeyAccess = operation({
  id: "apiKeys.access.explain",
  method: "GET",
  path: "/api-keys/{keyId}/access",
  summary: "Read the access decision on a call",
  description:
    "For members: says whether a call of this operation with this key would be admitted now, with the result of every check and the key of the chain that decides it.",
  scope: "api_keys:manage",
  surfaces: ["console"],
  params: z.object({ keyId: typeId("apiKey") }),
  query: z.object({
    operation: z
      .string()
      .max(300)
      .describe("An exact selector, e.g. `projects.list` or `services.invoke.managed-memory.put`."),
  }),
  output: z.object({ decision: KeyDecision }),
  errors: ["not_found"],

  async handler({ params, query, caller, db, request: { at } }) {
    const action = actionOf(query.operation);
    if (!action?.question)
      throw invalid("query.operation", `No operation ${JSON.stringify(query.operation)} needs a key.`);
    const { question } = action;
    const chain = await managedChain(db, caller, params.keyId);
    const { accountId } = caller;
    const refusedBy = await judgeCall(db, { accountId, chain: chain.map(({ id }) => id), at }, question);
    const first = KEY_CHECKS.find((check) => refusedBy[check] !== null);
    const needs = { key: null, ...needsOf(question), limit: null };
    const covering = ["*", ...question.selectors];
    const limits = await limitsOf(db, chain);
    return {
      decision: {
        operation: action.operation,
        allowed: first === undefined,
        deniedBy: first ? { check: first, keyId: defined(refusedBy[first]) } : null,
        checks: KEY_CHECKS.map((check) => ({
          check,
          state: refusedBy[check] ? REFUSED : first && check === "limit" ? NOT_REACHED : PASSED,
          needs: needs[check],
          keyId: refusedBy[check],
        })),
        limits: limits.filter(({ selector }) => covering.includes(selector)).flatMap(kindsOf),
        chain: await toApiKeys(db, chain, { caller, at }),
      },
    };
  },
});

const [PASSED, REFUSED, NOT_REACHED] = ["passed", "refused", "not_reached"] as const;

/** Returns the action of a selector that can be called with a key. */
function actionOf(name: string): CatalogueAction | undefined {
  const api = platform().operations.filter(({ surfaces }) => surfaces.includes("api"));
  return catalogueActions(api).find(({ operation }) => operation === name);
}

function needsOf({ scope, service, selectors }: PricedQuestion) {
  return { scope, service, operation: selectors[0] ?? null };
}

function kindsOf(row: LimitRow) {
  const { selector, keyId } = row;
  return LIMIT_KINDS.flatMap((kind) => {
    const value = row[kind];
    return value === null ? [] : [{ selector, kind, value, keyId }];
  });
}
