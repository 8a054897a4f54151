import type { Metadata } from "next";
import { AgentList } from "#app/(console)/agents/agent-list.tsx";
import { agentRunsQuery, filterNames } from "#app/(console)/agents/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const { cursor, ...filters } = await wantedFilters([...filterNames, "cursor"]);
  await prefetch(trpc.runs.list.queryOptions(agentRunsQuery(filters, cursor)));
  return (
    <Hydrate>
      <AgentList mayRun={await may("runs:write")} />
    </Hydrate>
  );
}
