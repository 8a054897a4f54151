import { z } from "zod";
import { webhooks } from "#db/schema/webhooks.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { manageable, selectWebhooks, withDeliveries } from "./queries.ts";
import { Webhook } from "./schema.ts";

export const listWebhooks = operation({
  id: "webhooks.list",
  method: "GET",
  path: "/webhooks",
  summary: "List webhooks",
  description:
    "Lists the webhooks that the key and its descendants own, newest first, disabled ones included.",
  scope: "webhooks:read",
  query: PageQuery,
  output: z.object({ webhooks: z.array(Webhook), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("webhook", webhooks.id, query);
    const found = await selectWebhooks(db)
      .where(page.where(manageable(db, caller)))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { webhooks: await withDeliveries(db, rows), nextCursor };
  },
});
