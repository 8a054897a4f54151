import type { Metadata } from "next";
import { NewTask } from "#app/(console)/agents/new/new-task.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeConnectionsQuery } from "#components/form/choices-query.ts";

export const metadata: Metadata = { title: "New task" };

export default async function NewTaskPage() {
  await prefetch(
    trpc.agents.listTools.queryOptions(),
    trpc.connections.list.queryOptions(activeConnectionsQuery()),
  );
  return (
    <Hydrate>
      <NewTask />
    </Hydrate>
  );
}
