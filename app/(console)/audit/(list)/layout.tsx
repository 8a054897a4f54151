import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AuditList } from "#app/(console)/audit/audit-list.tsx";
import { auditList } from "#app/(console)/audit/queries.ts";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, operationIds, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditLayout({ children }: { children: ReactNode }) {
  const { accountId } = await requirePerson();
  const asked = auditList.query(await wantedFilters(auditList.names));
  await prefetch(trpc.auditEvents.list.queryOptions(asked));
  return (
    <Hydrate>
      <AuditList accountId={accountId} operationIds={operationIds} />
      {children}
    </Hydrate>
  );
}
