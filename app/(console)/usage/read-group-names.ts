import type { Grouping } from "#app/(console)/usage/queries.ts";
import { readNames } from "#components/read-names.ts";
import type { useTRPCClient } from "#components/trpc.tsx";
import { shorten } from "#components/ui/copyable.tsx";

/** Reads the names of groups whose keys are ids; loaded late, since the page is first shown without them. */
export async function readGroupNames(
  client: ReturnType<typeof useTRPCClient>,
  keys: readonly (string | null)[],
  grouping: Grouping,
): Promise<ReadonlyMap<string, string>> {
  if (grouping !== "key" && grouping !== "project") return new Map();
  const names = new Map(await readNames(client, keys));
  const members = keys.flatMap((key) => (key?.startsWith("mbr_") ? [key] : []));
  if (members.length === 0) return names;
  for (const id of members) if (!names.has(id)) names.set(id, `A member, ${shorten(id)}`);
  const me = await client.me.read.query();
  return names.set(me.memberId, `${me.name} (you)`);
}
