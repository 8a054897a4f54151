import { and, eq, sql } from "drizzle-orm";
import { connections } from "#db/schema/connections.ts";
import { platform } from "#server/platform.ts";
import { announceNow } from "./announce.ts";
import type { ConnectionRow } from "./queries.ts";

/** Why a use failed, as `lastError` shows it. Never the outside system's own words: they could echo the secret. */
export interface UseFailure {
  code: "unauthorized" | "token_refused" | "token_unusable" | "unreachable" | "timeout" | "failed";
  message: string;
}

/** Only as long as the secret is the one that was used: what a rotation has replaced says nothing about the new one. */
const sameSecret = ({ accountId, id, secretVersion }: ConnectionRow) =>
  and(
    eq(connections.accountId, accountId),
    eq(connections.id, id),
    eq(connections.secretVersion, secretVersion),
  );

const errorOf = (failure: UseFailure) => ({ ...failure, at: new Date().toISOString() });

/** Notes that a use worked; with the first one after it was broken it has recovered. */
export async function noteSuccess(row: ConnectionRow): Promise<void> {
  if (!row.lastError && !row.brokenAt) return;
  await platform().database.db.transaction(async (tx) => {
    const mended = and(sameSecret(row), eq(connections.status, "active"));
    const [before] = await tx.select().from(connections).where(mended).for("update");
    if (!before) return;
    await tx.update(connections).set({ lastError: null, brokenAt: null }).where(mended);
    if (before.brokenAt) await announceNow(tx, row, "connection.recovered");
  });
}

/** Notes a failure that says nothing about the secret: the next use may work. */
export async function noteFailure(row: ConnectionRow, failure: UseFailure): Promise<void> {
  await platform()
    .database.db.update(connections)
    .set({ lastError: errorOf(failure) })
    .where(sameSecret(row));
}

/** The outside system refuses the secret: nothing more is sent until somebody has sent another one. */
export async function breakConnection(row: ConnectionRow, failure: UseFailure): Promise<void> {
  await platform().database.db.transaction(async (tx) => {
    const broken = await tx
      .update(connections)
      .set({
        status: "broken",
        brokenAt: sql`coalesce(${connections.brokenAt}, clock_timestamp())`,
        lastError: errorOf(failure),
        token: null,
        tokenExpiresAt: null,
      })
      .where(and(sameSecret(row), eq(connections.status, "active")))
      .returning({ id: connections.id });
    if (broken.length > 0) await announceNow(tx, row, "connection.broken");
  });
}
