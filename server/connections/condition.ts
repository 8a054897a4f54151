import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { connections } from "#db/schema/connections.ts";
import { currentTime } from "#server/base/clock.ts";
import { platform } from "#server/platform.ts";
import { emitConnectionEventById } from "./connection-events.ts";
import type { ConnectionRow } from "./queries.ts";

/** Why a use failed, as shown in `lastError`. Never the outside system's own text, which could contain the secret. */
export interface UseFailure {
  code: "unauthorized" | "token_refused" | "token_unusable" | "unreachable" | "timeout" | "failed";
  message: string;
}

/**
 * Matches the row only if its secret is still the one that was used: a result for an old secret says nothing about a
 * new one.
 */
const sameSecret = ({ accountId, id, secretVersion }: ConnectionRow) =>
  and(
    eq(connections.accountId, accountId),
    eq(connections.id, id),
    eq(connections.secretVersion, secretVersion),
  );

const errorOf = (failure: UseFailure) => ({ ...failure, at: currentTime().toISOString() });

/** Records a successful use; after a failure that broke the connection, marks it as recovered. */
export async function recordSuccess(row: ConnectionRow): Promise<void> {
  if (!row.lastError && !row.brokenAt) return;
  await platform().database.db.transaction(async (tx) => {
    const active = and(sameSecret(row), eq(connections.status, "active"));
    const [before] = await tx.select().from(connections).where(active).for("update");
    if (!before) return;
    await tx.update(connections).set({ lastError: null, brokenAt: null, refusals: [] }).where(active);
    if (before.brokenAt) await emitConnectionEventById(tx, row, "connection.recovered");
  });
}

/** This many different addresses in a row refusing the secret break the connection, */
const REFUSED_ADDRESSES = 3;
/** as do this many refusals by a single address if no other is used. */
const REFUSALS = 10;

/**
 * Records that an address refused the secret. One address may have its own reasons and must not break the connection
 * for others; consecutive refusals break it.
 */
export async function recordRefusal(row: ConnectionRow, url: URL): Promise<void> {
  const address = createHash("sha256").update(`${url.origin}${url.pathname}`).digest("base64url");
  const failure: UseFailure = { code: "unauthorized", message: `${url.host} refused the secret (401).` };
  await platform().database.db.transaction(async (tx) => {
    const active = and(sameSecret(row), eq(connections.status, "active"));
    const [before] = await tx.select().from(connections).where(active).for("update");
    if (!before) return;
    const refusals = [...before.refusals, address];
    await tx
      .update(connections)
      .set({ refusals, lastError: errorOf(failure) })
      .where(active);
    if (new Set(refusals).size >= REFUSED_ADDRESSES || refusals.length >= REFUSALS)
      await breakNow(tx, row, failure);
  });
}

/** Records a failure that says nothing about the secret: the next use may succeed. */
export async function recordFailure(row: ConnectionRow, failure: UseFailure): Promise<void> {
  await platform()
    .database.db.update(connections)
    .set({ lastError: errorOf(failure) })
    .where(sameSecret(row));
}

/** Marks the connection as broken: nothing more is sent until somebody provides another secret. */
export async function breakConnection(row: ConnectionRow, failure: UseFailure): Promise<void> {
  await platform().database.db.transaction((tx) => breakNow(tx, row, failure));
}

async function breakNow(tx: Transaction, row: ConnectionRow, failure: UseFailure): Promise<void> {
  const broken = await tx
    .update(connections)
    .set({
      status: "broken",
      brokenAt: sql`coalesce(${connections.brokenAt}, clock_timestamp())`,
      lastError: errorOf(failure),
      refusals: [],
      token: null,
      tokenExpiresAt: null,
    })
    .where(and(sameSecret(row), eq(connections.status, "active")))
    .returning({ id: connections.id });
  if (broken.length > 0) await emitConnectionEventById(tx, row, "connection.broken");
}
