import type { Metadata } from "next";
import type { ReactNode } from "react";
import { triggerList } from "#app/(console)/triggers/queries.ts";
import { TriggerList } from "#app/(console)/triggers/trigger-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Triggers" };

export default async function TriggersLayout({ children }: { children: ReactNode }) {
  const asked = triggerList.query(await wantedFilters(triggerList.names));
  await prefetch(trpc.triggers.list.queryOptions(asked));
  return (
    <Hydrate>
      <TriggerList mayWrite={await may("runs:write")} />
      {children}
    </Hydrate>
  );
}
