import { z } from "zod";
import { explainAccess } from "#server/operation/explain-access.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery } from "#server/operation/page.ts";
import { catalogueActions } from "./actions.ts";
import { pageOfList } from "./page-list.ts";
import { Action } from "./schema.ts";

export const listActions = operation({
  id: "actions.list",
  method: "GET",
  path: "/actions",
  summary: "List actions",
  description:
    "The access decision, explained: every operation and every operation of a service, whether this caller would be let through now, and where not, which check of which key refuses.",
  scope: "services:read",
  query: PageQuery.extend({
    allowed: z.enum(["true", "false"]).optional().describe("Only those that are allowed, or denied."),
    serviceId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only those of this service.", examples: ["managed-memory"] }),
  }),
  output: z.object({ actions: z.array(Action), nextCursor }),

  async handler({ query, caller, db }) {
    const actions = catalogueActions().filter(
      ({ serviceId }) => query.serviceId === undefined || serviceId === query.serviceId,
    );
    const questions = actions.flatMap(({ question }) => question ?? []);
    const denials = await explainAccess(db, caller, questions);
    const denied = new Map(questions.map((question, nth) => [question, denials[nth]]));
    const explained = actions.map(({ question, ...action }) => {
      const deniedBy = (question && denied.get(question)) ?? null;
      return { ...action, allowed: deniedBy === null, deniedBy };
    });
    const { page, nextCursor } = pageOfList(
      explained,
      (action) => action.operation,
      query,
      ({ allowed }) => query.allowed === undefined || String(allowed) === query.allowed,
    );
    return { actions: page, nextCursor };
  },
});
