import { asc, eq } from "drizzle-orm";
import { outbox, webhooks } from "#db/schema/webhooks.ts";
import { newId } from "#server/base/ids.ts";
import type { startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Gives an account a webhook of its own, so that its events are stored; no relay is running that would send them. */
export async function listen(
  api: Api,
  accountId: string,
  state: Partial<typeof webhooks.$inferInsert> = {},
): Promise<void> {
  await api.platform.database.db.insert(webhooks).values({
    accountId,
    id: newId("webhook"),
    url: "https://example.com/hook",
    events: ["*"],
    status: "active",
    secret: new Uint8Array(1),
    updatedAt: new Date(),
    ...state,
  });
}

/** Returns the payloads of an account's unsent events, oldest first. */
export async function eventsKept(api: Api, accountId: string) {
  const rows = await api.platform.database.db
    .select()
    .from(outbox)
    .where(eq(outbox.accountId, accountId))
    .orderBy(asc(outbox.id));
  return rows.map(({ payload }) => JSON.parse(payload));
}
