import type { Metadata } from "next";
import { RunDetail } from "#app/(console)/runs/[runId]/run-detail.tsx";
import { childrenOf, retriesOf } from "#app/(console)/runs/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  await Promise.all([
    prefetchSubject(trpc.runs.read.queryOptions({ runId })),
    prefetch(
      trpc.artifacts.list.queryOptions({ runId, limit: 100 }),
      trpc.runs.list.queryOptions(childrenOf(runId)),
      trpc.runs.list.queryOptions(retriesOf(runId)),
    ),
  ]);
  return (
    <Hydrate>
      <RunDetail runId={runId} mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
