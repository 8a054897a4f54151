import type { Db } from "#db/client.ts";
import { swaps } from "#db/schema/swaps.ts";
import { resumeExecution } from "#server/wallets/executions/execution.ts";
import { swapExecution } from "./execution.ts";
import type { Named } from "./jobs.ts";
import { theSwap } from "./queries.ts";
import { syncSwap } from "./sync-swap.ts";

/**
 * Goes on with a swap as far as its approval, its transactions and its route let it. May be begun at any time, by
 * several at once too: what is stored decides.
 */
export async function advanceSwap(db: Db, named: Named): Promise<void> {
  const [swap] = await db.select().from(swaps).where(theSwap(named));
  if (swap?.status === "awaiting_approval") await resumeExecution(db, swapExecution, swap);
  // One that has ended goes on where the chain has taken back what had ended it.
  else if (swap?.routeId) await syncSwap(db, swap);
}
