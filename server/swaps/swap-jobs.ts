import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { swapRoutes, swaps } from "#db/schema/swaps.ts";
import { type LogFields, log } from "#server/base/log.ts";
import { resumeExecution } from "#server/wallets/executions/execution.ts";
import { followRoute } from "./follow-route.ts";
import { enqueueAdvance, enqueueFollow, enqueueWatch, type ResourceKey } from "./jobs.ts";
import { isSwap } from "./queries.ts";
import { swapExecution } from "./swap-execution.ts";
import { syncSwap } from "./sync-swap.ts";
import { watchRoutes } from "./watch-routes.ts";

/** The pause between two checks of a chain, and after a failed check. */
const REST_SECONDS = 1;
const RETRY_SECONDS = 5;

async function repeat(
  about: LogFields,
  look: () => Promise<boolean>,
  again: (delaySeconds: number) => Promise<void>,
): Promise<void> {
  let delay = REST_SECONDS;
  try {
    if (!(await look())) return;
  } catch (error) {
    log.warn("A swap could not be followed; it is tried again.", { ...about, error });
    delay = RETRY_SECONDS;
  }
  await again(delay);
}

/**
 * Advances a swap as far as its approval, its transactions and its route allow. May run at any time, also concurrently:
 * the stored state decides.
 */
export async function advanceSwap(db: Db, named: ResourceKey): Promise<void> {
  const [swap] = await db.select().from(swaps).where(isSwap(named));
  if (swap?.status === "awaiting_approval") await resumeExecution(db, swapExecution, swap);
  // An ended swap continues if the chain has removed the transaction that ended it.
  else if (swap?.routeId) await syncSwap(db, swap);
}

/** The job that looks for prepared steps on a chain, for as long as any is awaited. */
export function keepWatching(db: Db, network: string): Promise<void> {
  return repeat(
    { network },
    () => watchRoutes(db, network),
    (delay) => enqueueWatch(db, network, delay),
  );
}

/** The job that follows a route to its end. */
export function keepFollowing(db: Db, route: ResourceKey): Promise<void> {
  return repeat(
    { routeId: route.id },
    () => followRoute(db, route),
    (delay) => enqueueFollow(db, route, delay),
  );
}

/** Enqueues the jobs of unfinished swaps and routes again, in case one was lost. */
export async function resumeSwaps(db: Db): Promise<void> {
  const networks = await db
    .selectDistinct({ network: sql<string>`${swapRoutes.from} ->> 'network'` })
    .from(swapRoutes)
    .where(
      and(
        isNull(swapRoutes.endedAt),
        eq(swapRoutes.status, "prepared"),
        isNull(swapRoutes.swapId),
        notFrozen(swapRoutes.accountId),
      ),
    );
  for (const { network } of networks) await enqueueWatch(db, network);
  const followed = await db
    .select({ accountId: swapRoutes.accountId, id: swapRoutes.id })
    .from(swapRoutes)
    .where(
      and(
        isNull(swapRoutes.endedAt),
        isNotNull(swapRoutes.sourceTransactionHash),
        notFrozen(swapRoutes.accountId),
      ),
    );
  for (const route of followed) await enqueueFollow(db, route);
  const open = await db
    .select({ accountId: swaps.accountId, id: swaps.id })
    .from(swaps)
    .where(and(isNull(swaps.endedAt), notFrozen(swaps.accountId)));
  for (const swap of open) await enqueueAdvance(db, swap);
}
