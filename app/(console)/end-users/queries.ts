import { counted, defineList, period, search } from "#components/table/list.ts";
import type { useTRPC } from "#components/trpc.tsx";

export const endUserList = defineList("end-users", { search, ...period }, ["createdAt", "externalId"]).asking(
  counted,
);

/** Returns the queries of the newest resource of each kind of an end user, counted with all the others. */
export function newestOf(trpc: ReturnType<typeof useTRPC>, endUser: string) {
  const newest = counted({ endUser, limit: 1 });
  return {
    keys: trpc.apiKeys.list.queryOptions(newest),
    runs: trpc.runs.list.queryOptions({ ...newest, timeline: "exclude" }),
    workflows: trpc.workflows.list.queryOptions(newest),
    triggers: trpc.triggers.list.queryOptions(newest),
    artifacts: trpc.artifacts.list.queryOptions(newest),
    memories: trpc.memories.list.queryOptions(newest),
    files: trpc.files.list.queryOptions(newest),
    connections: trpc.connections.list.queryOptions(newest),
    wallets: trpc.wallets.list.queryOptions(newest),
    swaps: trpc.swaps.list.queryOptions(newest),
    orders: trpc.trading.orders.list.queryOptions(newest),
    approvals: trpc.approvals.list.queryOptions(newest),
    webhooks: trpc.webhooks.list.queryOptions({ ...newest, disabledManually: "exclude" }),
  };
}
