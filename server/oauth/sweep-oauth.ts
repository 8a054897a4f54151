import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { currentTime } from "#server/base/clock.ts";
import { emitAppEnded, toApiKeys } from "#server/keys/queries.ts";

const BATCH = 100;

/**
 * Deletes expired tokens, old requests, and registrations that never got access. Emits the events of ended access.
 */
export async function sweepOAuth(db: Db, at = currentTime()): Promise<void> {
  await db.execute(sql`delete from oauth_tokens where expires_at < now()`);
  await db.execute(sql`delete from oauth_requests where expires_at < now() - interval '1 day'`);
  await db.execute(
    sql`delete from oauth_clients where not granted and created_at < ${at.toISOString()}::timestamptz - interval '90 days'`,
  );
  await db.execute(sql`delete from oauth_documents where read_at < now() - interval '7 days'`);
  await emitExpiredApps(db, at);
}

async function emitExpiredApps(db: Db, at: Date): Promise<void> {
  const key = and(eq(apiKeys.accountId, oauthGrants.accountId), eq(apiKeys.id, oauthGrants.keyId));
  for (;;) {
    const found = await db
      .select({ row: apiKeys })
      .from(oauthGrants)
      .innerJoin(apiKeys, key)
      .where(and(eq(oauthGrants.endEmitted, false), isNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, at)))
      .limit(BATCH);
    for (const { row } of found)
      await db.transaction(async (tx) => {
        const [apiKey] = await toApiKeys(tx, [row], { caller: { id: "system" }, at });
        if (apiKey) await emitAppEnded(tx, row, apiKey, "expired");
      });
    if (found.length < BATCH) return;
  }
}
