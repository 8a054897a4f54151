import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ConnectionList } from "#app/(console)/connections/connection-list.tsx";
import { connectionList } from "#app/(console)/connections/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Connections" };

export default async function ConnectionsLayout({ children }: { children: ReactNode }) {
  const asked = connectionList.query(await wantedFilters(connectionList.names));
  await prefetch(trpc.connections.list.queryOptions(asked));
  return (
    <Hydrate>
      <ConnectionList mayWrite={await may("connections:write")} />
      {children}
    </Hydrate>
  );
}
