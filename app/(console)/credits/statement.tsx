"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { columns } from "#app/(console)/credits/columns.tsx";
import { ledgerList } from "#app/(console)/credits/queries.ts";
import { routes } from "#components/routes.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";

/** Lists the entries of the account's ledger. */
export function Statement() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const isInProject = useIsInProject();
  const state = useList(ledgerList);
  const ledger = useQuery({
    ...trpc.credits.ledger.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Statement"
      description={
        isInProject
          ? "The project’s charges, each with the account’s balance after it."
          : "Every movement, with the balance after it."
      }
    >
      <ListTable
        state={state}
        label="Statement"
        columns={columns}
        list={ledger}
        failed="The statement could not be loaded."
        ask={client.credits.ledger.list.query}
        rowsOf={({ entries }) => entries}
        rowHref={(entry) => (entry.requestId ? routes.audit({ requestId: entry.requestId }) : undefined)}
        empty={<NoMovements />}
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
