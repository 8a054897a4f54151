import { eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { EVENT_TYPES } from "#server/events/catalogue.ts";
import { idFilter } from "#server/operation/fields.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { ofManageable, selectDeliveries, toDelivery } from "./deliveries.ts";
import { Delivery, DeliveryStatus } from "./schema.ts";

/** Returns the events whose name contains the text: an index finds deliveries by whole names. */
const eventsContaining = (text: string) => EVENT_TYPES.filter((type) => type.includes(text.toLowerCase()));

export const listDeliveries = operation({
  id: "webhookDeliveries.list",
  method: "GET",
  path: "/webhook-deliveries",
  summary: "List webhook deliveries",
  description:
    "Lists the deliveries of the webhooks that the key manages, newest first, with every attempt. Deliveries are kept for three months.",
  scope: "webhooks:read",
  query: CountedPageQuery.extend({
    webhookId: idFilter("webhook").optional().describe("Only this webhook's."),
    status: DeliveryStatus.optional().describe("Only deliveries with this status."),
    event: z
      .string()
      .max(100)
      .optional()
      .meta({
        description: "Only deliveries of events with this name.",
        examples: ["project.created"],
      }),
    search: searchBy("Only deliveries whose event's name"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ deliveries: z.array(Delivery), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("delivery", webhookDeliveries.id, query);
    const condition = allOf(
      ofManageable(db, caller),
      query.webhookId ? eq(webhookDeliveries.webhookId, query.webhookId) : undefined,
      query.status ? eq(webhookDeliveries.status, query.status) : undefined,
      query.event ? eq(webhookDeliveries.event, query.event) : undefined,
      query.search === undefined
        ? undefined
        : anyOf(
            inArray(webhookDeliveries.event, eventsContaining(query.search)),
            matching(query.search, { kind: "delivery", id: webhookDeliveries.id, columns: [] }),
          ),
      within(webhookDeliveries.id, query),
    );
    const found = await selectDeliveries(db)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectDeliveries(db).where(condition), { rows, nextCursor });
    return { deliveries: rows.map(toDelivery), nextCursor, total };
  },
});
