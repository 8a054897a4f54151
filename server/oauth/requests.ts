import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { accounts } from "#db/schema/accounts.ts";
import { oauthRequests } from "#db/schema/oauth.ts";
import { currentTime } from "#server/base/clock.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { mayConnectApps } from "#server/operation/roles.ts";

/** A stored request of an app for access. */
export type OAuthRequest = typeof oauthRequests.$inferSelect;

/** Returns an app's request for access. Its id, which the browser carries, is enough to read it. */
export async function findRequest(db: Db | Transaction, id: string): Promise<OAuthRequest> {
  const [row] = uuidOf("appRequest", id)
    ? await db.select().from(oauthRequests).where(eq(oauthRequests.id, id))
    : [];
  if (!row) throw notFound("request of an app", id);
  return row;
}

/** Returns where the request of a program comes from, for the person who has to recognise it. */
export function askerOf({ ip, userAgent, createdAt }: OAuthRequest) {
  return { ip, userAgent, askedAt: createdAt.toISOString() };
}

/** True if the account lets the member connect apps. */
export async function connectsApps(db: Db | Transaction, caller: Caller): Promise<boolean> {
  const [account] = await db
    .select({ connectors: accounts.appConnectors })
    .from(accounts)
    .where(eq(accounts.id, caller.accountId));
  return account !== undefined && caller.type === "member" && mayConnectApps(account.connectors, caller.role);
}

/** Stores the decision on a request, once. */
export async function decide(
  tx: Transaction,
  id: string,
  decision: Pick<OAuthRequest, "decision" | "accountId" | "memberId"> &
    Partial<Pick<OAuthRequest, "policy" | "codeHash">>,
): Promise<OAuthRequest> {
  const found = await findRequest(tx, id);
  const open = and(
    eq(oauthRequests.id, found.id),
    isNull(oauthRequests.decidedAt),
    sql`${oauthRequests.expiresAt} > clock_timestamp()`,
  );
  const [row] = await tx
    .update(oauthRequests)
    .set({ ...decision, decidedAt: currentTime() })
    .where(open)
    .returning();
  if (!row)
    throw new ApiError(
      "state_conflict",
      "The request was decided before, or has expired. Begin again in the app.",
    );
  return row;
}
