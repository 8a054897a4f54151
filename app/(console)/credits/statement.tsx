"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { columns } from "#app/(console)/credits/columns.tsx";
import { ledgerList } from "#app/(console)/credits/queries.ts";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { Pagination } from "#components/table/pagination.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";

/** Every movement of the account's credits. */
export function Statement() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const inProject = useChosenProject() !== null;
  const state = useList(ledgerList);
  const ledger = useQuery({
    ...trpc.credits.ledger.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Statement"
      description={
        inProject
          ? "What was charged to the project, with the account’s balance after it."
          : "Every movement, with the balance after it."
      }
    >
      <ListBar
        state={state}
        columns={columns}
        page={async (query) => {
          const { entries, nextCursor } = await client.credits.ledger.list.query(query);
          return { rows: entries, nextCursor };
        }}
      />
      <ErrorNotice what="The statement could not be loaded." error={ledger.error} />
      <DataTable
        label="Statement"
        columns={columns}
        rows={ledger.data?.entries}
        failed={ledger.isError}
        rowId={(entry) => entry.id}
        rowHref={(entry) => (entry.requestId ? routes.audit({ requestId: entry.requestId }) : undefined)}
        view={state.view}
        empty={state.filters.active ? <NoMatches filters={state.filters} /> : <NoMovements />}
        footer={<Pagination nextCursor={ledger.data?.nextCursor ?? null} />}
      />
    </Section>
  );
}

function NoMovements() {
  return (
    <EmptyState title="No movements yet">
      Grants, purchases and charges are booked here, each with the request that caused it.
    </EmptyState>
  );
}
