import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "#db/schema/keys.ts";
import { defined } from "#server/base/defined.ts";
import { notFound } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { wakeTriggersOf } from "#server/triggers/queries.ts";
import { disableWebhooksOf } from "#server/webhooks/queries.ts";
import { branchesOf, emitKeyRevoked, manageableKeys, toApiKeys } from "./queries.ts";
import { ApiKey } from "./schema.ts";

export const revokeApiKey = operation({
  id: "apiKeys.revoke",
  method: "DELETE",
  path: "/api-keys/{id}",
  summary: "Revoke an API key",
  description:
    "Revokes the key and all its descendants at once: their calls get 401 from then on. Revoking a revoked key changes nothing.",
  scope: "api_keys:manage",
  stepUp: true,
  idempotent: true,
  destructive: true,
  params: z.object({ id: typeId("apiKey") }),
  output: z.object({
    apiKey: ApiKey,
    revokedKeyIds: z
      .array(typeId("apiKey"))
      .describe("Ids of the key and every descendant that was revoked with it."),
  }),
  errors: ["not_found"],

  async handler({ params, caller, db, request }) {
    const mine = and(manageableKeys(caller), eq(apiKeys.id, params.id));
    const [row] = await db
      .update(apiKeys)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(and(mine, isNull(apiKeys.revokedAt)))
      .returning();
    const [key] = row ? [row] : await db.select().from(apiKeys).where(mine);
    if (!key) throw notFound("API key", params.id);
    const branchIds = await branchesOf(db, caller.accountId, [key.id]);
    if (row) await disableWebhooksOf(db, caller.accountId, branchIds, "key_revoked");
    if (row) await wakeTriggersOf(db, caller.accountId, branchIds);
    const about = { caller, at: request.at };
    const apiKey = row
      ? await emitKeyRevoked(db, row, about)
      : defined((await toApiKeys(db, [key], about))[0]);
    return { apiKey, revokedKeyIds: branchIds };
  },
});
