import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { inboundWebhooks, triggers } from "#db/schema/triggers.ts";
import type { Caller } from "#server/operation/caller.ts";
import { inOrder, nextCursor, pageOf } from "#server/operation/page.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import {
  newestTicks,
  noSuchTrigger,
  ownTriggers,
  readClock,
  type ShownTrigger,
  selectTriggers,
  toTick,
  toTrigger,
  type Viewer,
} from "./queries.ts";
import {
  ListTriggers,
  SHOWN_TICKS,
  SHOWN_TIMES,
  Trigger,
  TriggerContent,
  TriggerReference,
} from "./schema.ts";
import type { TRIGGER_STATUSES } from "./statuses.ts";
import { nextTimes } from "./times.ts";

export const getTrigger = capability({
  id: "get",
  title: "Get a trigger",
  description: "Reads a trigger, with the next times of its schedule and the outcomes of the newest.",
  input: TriggerReference,
  output: TriggerContent,
  modes: ["invoke"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "get"),

  async read({ input: { name }, caller, db }) {
    const [row] = await selectTriggers(db).where(and(ownTriggers(caller), eq(triggers.name, name)));
    if (!row) throw noSuchTrigger(name);
    return contentOf(db, row, caller);
  },
});

/** Returns a trigger with its next times and its newest ticks. */
export async function contentOf(
  db: Db | Transaction,
  row: ShownTrigger,
  viewer: Viewer,
): Promise<z.input<typeof TriggerContent>> {
  const { nextAt } = row;
  const now = await readClock(db);
  const ticks = await newestTicks(db, row, SHOWN_TICKS);
  const times =
    nextAt && !row.pausedReason
      ? [nextAt, ...nextTimes(row, new Date(Math.max(nextAt.getTime(), now.getTime())), SHOWN_TIMES)]
      : [];
  return {
    trigger: toTrigger(row, viewer),
    nextTimes: times.slice(0, SHOWN_TIMES).map((time) => time.toISOString()),
    ticks: ticks.map(toTick),
  };
}

/** Returns the condition for a trigger's status. */
export function hasStatus(status: (typeof TRIGGER_STATUSES)[number]): SQL {
  if (status === "paused") return isNotNull(triggers.pausedReason);
  return allOf(
    isNull(triggers.pausedReason),
    status === "active"
      ? or(isNotNull(triggers.nextAt), isNull(triggers.schedule))
      : and(isNull(triggers.nextAt), isNotNull(triggers.schedule)),
  );
}

/** Selects what a page of triggers is cut by; the same rows as of `selectTriggers`. */
export function selectTriggerSizes(db: Db | Transaction) {
  return db
    .select({ id: triggers.id, name: triggers.name, bytes: sql<number>`octet_length(${triggers.start})` })
    .from(triggers)
    .leftJoin(
      inboundWebhooks,
      and(eq(inboundWebhooks.accountId, triggers.accountId), eq(inboundWebhooks.triggerId, triggers.id)),
    );
}

/** Returns the triggers of a page, in its order. */
export async function triggersOf(
  db: Db | Transaction,
  { accountId }: Pick<Caller, "accountId">,
  page: readonly { id: string }[],
): Promise<ShownTrigger[]> {
  const ids = page.map(({ id }) => id);
  const rows = await selectTriggers(db).where(
    and(eq(triggers.accountId, accountId), inArray(triggers.id, ids)),
  );
  return inOrder(ids, rows);
}

export const listTriggers = capability({
  id: "list",
  title: "List triggers",
  description:
    "Lists triggers, newest first. A page ends before the inputs of its starts would exceed 4 MB; `nextCursor` continues there.",
  input: ListTriggers,
  output: z.object({ triggers: z.array(Trigger), nextCursor }),
  modes: ["invoke"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "list"),

  async read({ input, caller, db }) {
    const page = pageOf("trigger", triggers.id, input, { field: "body.input.cursor" });
    const found = await selectTriggerSizes(db)
      .where(page.where(allOf(ownTriggers(caller), input.status && hasStatus(input.status))))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cutToFit(found);
    const listed = await triggersOf(db, caller, rows);
    return { triggers: listed.map((row) => toTrigger(row, caller)), nextCursor };
  },
});
