import { and, eq } from "drizzle-orm";
import { triggers } from "#db/schema/triggers.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectTriggers } from "./queries.ts";
import { contentOf } from "./read-triggers.ts";
import { TriggerContent, TriggerParams } from "./schema.ts";

export const readOneTrigger = operation({
  id: "triggers.read",
  method: "GET",
  path: "/triggers/{triggerId}",
  surfaces: ["console"],
  summary: "Read a trigger",
  description: "With the next times of its schedule and the outcomes of the newest.",
  scope: "runs:read",
  service: "managed-triggers",
  params: TriggerParams,
  output: TriggerContent,
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await selectTriggers(db).where(
      and(visible(triggers, caller), eq(triggers.id, params.triggerId)),
    );
    if (!row) throw notFound("trigger", params.triggerId);
    return contentOf(db, row, caller);
  },
});
