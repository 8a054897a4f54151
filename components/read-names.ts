import type { useTRPCClient } from "#components/trpc.tsx";

/** The most names of one answer. */
const MAX_IDS = 100;

/** Reads the names of any number of resources by id, as far as the person may read them. */
export async function readNames(
  client: ReturnType<typeof useTRPCClient>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const names = new Map<string, string>();
  // One after another: the ids are in the address, and requests at the same time share one.
  for (let from = 0; from < wanted.length; from += MAX_IDS) {
    const { found } = await client.search.list.query({ ids: wanted.slice(from, from + MAX_IDS).join(",") });
    for (const { id, label } of found) names.set(id, label);
  }
  return names;
}
