import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { swapRoutes } from "#db/schema/swaps.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { isPast, readClock } from "./chain-state.ts";
import { enqueueFollow } from "./jobs.ts";
import { isRoute, type RouteRow } from "./queries.ts";

/** The maximum number of blocks in one search, and the number fetched at once. */
const MAX_BLOCKS = 500;
const TOGETHER = 10;

/**
 * Searches the new blocks of a chain for the last steps of prepared routes: same sender, contract, calldata and value.
 * Blocks that are not confirmed are searched again, since others may replace them. Returns whether any route is still
 * awaited.
 */
export async function watchRoutes(db: Db, network: string): Promise<boolean> {
  const chain = platform().chains.find(network);
  const routes = chain ? await awaitedRoutes(db, network) : [];
  if (!chain || routes.length === 0) return false;
  const clock = await callChain(chain, () => readClock(chain));
  const head = Number(clock.block);
  const first = Math.min(...routes.map(({ nextBlock }) => nextBlock));
  const last = Math.min(head, first + MAX_BLOCKS - 1);
  const byStep = new Map(routes.map((route) => [stepKey(route.sender, route.call), route]));
  const seen: RouteRow[] = [];
  for (let from = first; from <= last; from += TOGETHER) {
    const numbers = Array.from({ length: Math.min(TOGETHER, last - from + 1) }, (_, nth) => from + nth);
    const found = await Promise.all(numbers.map((number) => lookThrough(db, chain, number, byStep)));
    seen.push(...found.flat());
  }
  // Routes that were prepared meanwhile, or seen and lost again, still need these blocks.
  const looked = isAwaited(
    network,
    routes.filter((route) => !seen.includes(route)),
  );
  const nextBlock = Math.max(first, Math.min(last, head - chain.confirmations) + 1);
  await db.update(swapRoutes).set({ nextBlock }).where(looked);
  const over = routes.filter(({ expiresAt }) =>
    isPast(clock, BigInt(Math.floor(expiresAt.getTime() / 1000))),
  );
  if (last === head && over.length > 0)
    await db
      .update(swapRoutes)
      .set({ status: "expired", endedAt: sql`clock_timestamp()` })
      .where(isAwaited(network, over));
  return last < head || over.length < routes.length;
}

function isAwaited(network: string, among?: readonly RouteRow[]) {
  const ids = among?.map(({ id }) => id);
  return and(
    sql`${swapRoutes.from} ->> 'network' = ${network}`,
    isNull(swapRoutes.endedAt),
    isNull(swapRoutes.swapId),
    eq(swapRoutes.status, "prepared"),
    ids && inArray(swapRoutes.id, ids),
  );
}

function awaitedRoutes(db: Db, network: string): Promise<RouteRow[]> {
  return db.select().from(swapRoutes).where(isAwaited(network));
}

async function lookThrough(
  db: Db,
  chain: Chain,
  number: number,
  byStep: ReadonlyMap<string, RouteRow>,
): Promise<RouteRow[]> {
  const seen: RouteRow[] = [];
  const block = await callChain(chain, (client) =>
    client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
  );
  for (const { hash, from, to, input, value } of block.transactions) {
    const route = byStep.get(stepKey(from, { to, data: input, value: String(value) }));
    if (!route || route.nextBlock > number) continue;
    seen.push(route);
    await db.transaction(async (tx) => {
      const [stored] = await tx
        .update(swapRoutes)
        // A reorganisation may move it to an earlier block.
        .set({
          status: "observed",
          sourceTransactionHash: hash,
          nextBlock: Math.max(0, number - chain.finality),
        })
        .where(and(isRoute(route), eq(swapRoutes.status, "prepared")))
        .returning({ id: swapRoutes.id });
      if (stored) await enqueueFollow(tx, route);
    });
  }
  return seen;
}

const stepKey = (sender: string, { to, data, value }: { to: string | null; data: string; value: string }) =>
  `${sender}/${to}/${value}/${data}`.toLowerCase();
