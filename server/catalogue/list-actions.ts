import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery } from "#server/operation/page.ts";
import { platform } from "#server/platform.ts";
import { catalogueActions, denialsOf } from "./actions.ts";
import { pageOfList } from "./page-list.ts";
import { Action } from "./schema.ts";

export const listActions = operation({
  id: "actions.list",
  method: "GET",
  path: "/actions",
  summary: "List actions",
  description:
    "Explains the access decision: lists every operation, and every operation of a service, with whether a call by this caller would be admitted now and, if not, which check of which key refuses it.",
  scope: "services:read",
  query: PageQuery.extend({
    allowed: z
      .enum(["true", "false"])
      .optional()
      .describe("Only actions that are allowed, or only those that are denied."),
    serviceId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only actions of this service.", examples: ["managed-memory"] }),
  }),
  output: z.object({ actions: z.array(Action), nextCursor }),

  async handler({ query, caller, db }) {
    const actions = catalogueActions(
      platform().operations.filter(({ surfaces }) => surfaces.includes("api")),
    ).filter(({ serviceId }) => query.serviceId === undefined || serviceId === query.serviceId);
    const denials = await denialsOf(db, caller, actions);
    const explained = actions.map((action, nth) => {
      const deniedBy = denials[nth] ?? null;
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
