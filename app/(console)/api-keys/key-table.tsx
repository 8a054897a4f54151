"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { flatQuery, type KeysQuery } from "#app/(console)/api-keys/queries.ts";
import type { KeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useKeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination } from "#components/table/pagination.tsx";
import type { TableView } from "#components/table/use-list.ts";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

type Props = {
  actions: KeyActions;
  query: KeysQuery;
  filters: { active: boolean; clear: () => void };
  selection: Selection<ApiKey>;
  view: TableView;
};

/** Lists the keys that match the filters, from all levels, newest first. */
export function KeyTable({ actions, query, filters, selection, view }: Props) {
  const trpc = useTRPC();
  const list = useQuery({
    ...trpc.apiKeys.list.queryOptions(flatQuery(query)),
    placeholderData: keepPreviousData,
  });
  const numbers = useKeyNumbers(list.data?.apiKeys ?? []);
  const columns: Column<ApiKey>[] = [
    ...keyColumnsWith(numbers),
    { header: "Revoke", cell: actions.revokeButton, width: "6rem", align: "end", quiet: true },
  ];
  return (
    <>
      <ErrorNotice what="The keys could not be loaded." error={list.error} />
      <DataTable
        label="API keys"
        view={view}
        columns={columns}
        rows={list.data?.apiKeys}
        rowId={(key) => key.id}
        rowHref={(key) => routes.apiKeys.read(key.id)}
        rowMenu={actions.menuOf}
        selection={selection}
        empty={
          filters.active ? (
            <NoMatches filters={filters} />
          ) : (
            <EmptyState title="No key is bound to this project">
              A bound key, and every key below it, stays in this project for good.
            </EmptyState>
          )
        }
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} total={list.data?.total} />}
      />
    </>
  );
}
