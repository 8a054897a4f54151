import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AuditList } from "#app/(console)/audit/audit-list.tsx";
import { auditQuery, filterNames } from "#app/(console)/audit/queries.ts";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, operationIds, prefetch, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditLayout({ children }: { children: ReactNode }) {
  const { cursor, ...filters } = await wantedFilters([...filterNames, "cursor"]);
  const { accountId } = await requirePerson();
  await prefetch(
    trpc.auditEvents.list.queryOptions(auditQuery(filters, cursor)),
    trpc.apiKeys.list.queryOptions(choicesQuery()),
  );
  return (
    <Hydrate>
      <AuditList accountId={accountId} operationIds={operationIds} />
      {children}
    </Hydrate>
  );
}
