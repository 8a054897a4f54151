import type { Metadata } from "next";
import { NewTask } from "#app/(console)/agents/new/new-task.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "New task" };

export default async function NewTaskPage() {
  await prefetch(trpc.agents.listTools.queryOptions(), trpc.connections.list.queryOptions({ limit: 100 }));
  return (
    <Hydrate>
      <NewTask />
    </Hydrate>
  );
}
