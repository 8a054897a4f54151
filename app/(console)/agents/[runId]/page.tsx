import type { Metadata } from "next";
import { AgentRun } from "#app/(console)/agents/[runId]/agent-run.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Agent" };

export default async function AgentRunPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  await prefetchSubject(trpc.runs.read.queryOptions({ runId }));
  return (
    <Hydrate>
      <AgentRun runId={runId} mayCancel={await may("runs:write")} />
    </Hydrate>
  );
}
