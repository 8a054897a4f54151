import { arrayOverlaps } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { patternsOf } from "./check-settings.ts";
import { hasStatus, manageable, notDisabledManually, selectWebhooks, withDeliveries } from "./queries.ts";
import { Webhook } from "./schema.ts";

export const listWebhooks = operation({
  id: "webhooks.list",
  method: "GET",
  path: "/webhooks",
  summary: "List webhooks",
  description:
    "Lists the webhooks that the key and its descendants own, newest first, by default including disabled ones.",
  scope: "webhooks:read",
  query: CountedPageQuery.extend({
    status: Webhook.shape.status.optional().describe("Only webhooks with this status."),
    disabledManually: z
      .enum(["include", "exclude"])
      .optional()
      .describe("`exclude` omits the webhooks that were disabled manually (by `DELETE`)."),
    event: z
      .string()
      .max(100)
      .optional()
      .meta({
        description: "Only webhooks that are subscribed to this event: to itself, to its group, or to all.",
        examples: ["run.failed"],
      }),
    endUser: endUserFilter("Only webhooks of"),
    search: searchBy("Only webhooks whose URL or description"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ webhooks: z.array(Webhook), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("webhook", webhooks.id, query);
    const condition = allOf(
      manageable(db, caller),
      query.status && hasStatus(query.status),
      query.disabledManually === "exclude" ? notDisabledManually : undefined,
      query.event === undefined ? undefined : arrayOverlaps(webhooks.events, patternsOf(query.event)),
      ofEndUser(webhooks.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "webhook",
            id: webhooks.id,
            columns: [webhooks.url, webhooks.description],
          }),
      within(webhooks.id, query),
    );
    const found = await selectWebhooks(db).where(page.where(condition)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectWebhooks(db).where(condition), { rows, nextCursor });
    return { webhooks: await withDeliveries(db, rows), nextCursor, total };
  },
});
