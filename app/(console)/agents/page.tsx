import type { Metadata } from "next";
import { AgentList } from "#app/(console)/agents/agent-list.tsx";
import { agentList } from "#app/(console)/agents/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const asked = agentList.query(await wantedFilters(agentList.names));
  await prefetch(trpc.runs.list.queryOptions(asked));
  return (
    <Hydrate>
      <AgentList mayRun={await may("runs:write")} />
    </Hydrate>
  );
}
