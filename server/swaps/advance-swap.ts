import type { Db } from "#db/client.ts";
import { swaps } from "#db/schema/swaps.ts";
import { resumeExecution } from "#server/wallets/executions/execution.ts";
import type { ResourceKey } from "./jobs.ts";
import { isSwap } from "./queries.ts";
import { swapExecution } from "./swap-execution.ts";
import { syncSwap } from "./sync-swap.ts";

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
