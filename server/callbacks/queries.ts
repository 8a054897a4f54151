import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "#db/client.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import type { CallbackBounds } from "#server/runs/run-context.ts";
import type { RunWait } from "#server/sent-events/schema.ts";
import { addressOf, hashOf, newNonce, tokenOf } from "./token.ts";

/** Returns the name of a callback's result among its run's payloads. */
export const answerName = (step: string) => `${step}:callback`;

/** An attempt at a step, by its name in the journal. */
interface Attempt {
  accountId: string;
  runId: string;
  step: string;
  attempt: number;
}

async function findAddress(db: Db, { accountId, runId, step, attempt }: Attempt): Promise<string | null> {
  const [row] = await db
    .select({ nonce: callbacks.nonce, tokenHash: callbacks.tokenHash })
    .from(callbacks)
    .where(
      and(
        eq(callbacks.accountId, accountId),
        eq(callbacks.runId, runId),
        eq(callbacks.step, step),
        eq(callbacks.attempt, attempt),
      ),
    );
  return row ? addressOf(row) : null;
}

/**
 * Returns the address of an attempt's callback, which it opens if necessary; null if another worker has claimed the
 * run.
 */
export async function openCallback(
  db: Db,
  which: Attempt,
  fence: SQL,
  { timeoutSeconds, heartbeatSeconds }: CallbackBounds,
): Promise<string | null> {
  const found = await findAddress(db, which);
  if (found !== null) return found;
  const nonce = newNonce();
  await db.execute(sql`
    select open_callback(${fence}, ${which.step}, ${which.attempt}, ${nonce}, ${hashOf(tokenOf(nonce))}, ${timeoutSeconds},
      ${heartbeatSeconds ?? null}::int)`);
  return findAddress(db, which);
}

/** Returns the callbacks that a run waits for, in their public form. */
export async function waitsForCallbacks(
  db: Db,
  accountId: string,
  runId: string,
): Promise<z.input<typeof RunWait>[]> {
  const rows = await db
    .select({
      step: callbacks.step,
      at: callbacks.at,
      ends: sql<string>`callback_ends(${callbacks})`.mapWith(callbacks.until),
      heartbeatAt: callbacks.heartbeatAt,
      progress: callbacks.progress,
      message: callbacks.message,
    })
    .from(callbacks)
    .where(
      and(
        eq(callbacks.accountId, accountId),
        eq(callbacks.runId, runId),
        isNull(callbacks.digest),
        sql`exists (select from runs r where r.account_id = ${callbacks.accountId} and r.id = ${callbacks.runId} and r.finished_at is null)`,
        sql`callback_ends(${callbacks}) > clock_timestamp()`,
      ),
    )
    .orderBy(asc(callbacks.at), asc(callbacks.step));
  return rows.map(({ step, at, ends, heartbeatAt, progress, message }) => ({
    step: step.replaceAll(/:\w+/g, ""),
    since: at.toISOString(),
    until: new Date(ends).toISOString(),
    events: [],
    callback: { heartbeatAt: heartbeatAt?.toISOString() ?? null, progress, message },
  }));
}
