import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { relayerHeads, relayerOrders } from "#db/schema/relayer.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { bridgeOf, MAX_BLOCKS } from "#server/providers/bridge/bridge.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { storedOrder } from "../queries.ts";

/** The number of blocks that the first search covers: nobody fills older deposits. */
const FIRST_BLOCKS = 10_000n;

/** The heads up to which nothing is left to search, by chain, so that an idle chain costs no query. */
const searched = new WeakMap<Chain, bigint>();

/** Stores the deposits of sufficiently deep blocks before anything is done about them. */
export async function seeDeposits(db: Db, chain: Chain): Promise<void> {
  const bridge = bridgeOf(chain);
  if (!bridge) return;
  const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
  if (searched.get(chain) === head) return;
  const [known] = await db.select().from(relayerHeads).where(eq(relayerHeads.network, chain.network));
  const deep = head - BigInt(chain.confirmations) + 1n;
  const first = deep > FIRST_BLOCKS ? deep - FIRST_BLOCKS : -1n;
  // A sandbox that was reset has fewer blocks than were searched.
  const seen = known && BigInt(known.block) <= head ? BigInt(known.block) : first;
  if (deep <= seen) {
    searched.set(chain, head);
    return;
  }
  const last = deep - seen > MAX_BLOCKS ? seen + MAX_BLOCKS : deep;
  const deposits = await callChain(chain, () => bridge.findDeposits(seen + 1n, last));
  const heads = await headsOf(deposits.length > 0 ? platform().chains.all : []);
  const orders = deposits.flatMap(({ orderId, order }) => {
    const destination = platform().chains.find(`eip155:${order.destinationChainId}`);
    // A deposit for a chain that is not configured is for another relayer.
    if (!destination) return [];
    return [
      {
        id: orderId,
        originNetwork: chain.network,
        destinationNetwork: destination.network,
        order: storedOrder(order),
        status: "seen" as const,
        destinationBlock: Math.max(0, (heads.get(destination) ?? 0) - Number(FIRST_BLOCKS)),
        seenAt: sql`clock_timestamp()`,
        dueAt: sql`clock_timestamp()`,
      },
    ];
  });
  await db.transaction(async (tx) => {
    if (orders.length > 0) await tx.insert(relayerOrders).values(orders).onConflictDoNothing();
    await tx
      .insert(relayerHeads)
      .values({ network: chain.network, block: Number(last) })
      .onConflictDoUpdate({ target: relayerHeads.network, set: { block: Number(last) } });
  });
}

async function headsOf(chains: readonly Chain[]): Promise<ReadonlyMap<Chain, number>> {
  const heads = chains.map(async (chain) => {
    const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
    return [chain, Number(head)] as const;
  });
  return new Map(await Promise.all(heads));
}
