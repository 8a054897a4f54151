"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { countOf, rootsQuery } from "#app/(console)/api-keys/queries.ts";
import type { KeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useKeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { type TreeRow, useKeyTree } from "#app/(console)/api-keys/use-key-tree.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import type { TableView } from "#components/table/use-list.ts";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Lists the keys as a tree; a level loads when it is opened. */
export function KeyTree({
  actions,
  selection,
  view,
}: {
  actions: KeyActions;
  selection: Selection<ApiKey>;
  view: TableView;
}) {
  const trpc = useTRPC();
  const query = trpc.apiKeys.children.list.queryOptions(rootsQuery(useCursor()));
  const roots = useQuery({ ...query, placeholderData: keepPreviousData });
  const tree = useKeyTree(roots.data?.apiKeys);
  const numbers = useKeyNumbers(tree.rows?.map(({ key }) => key) ?? []);
  const columns = keyColumnsWith(numbers).map(
    ({ cell, csv: _, ...column }, index): Column<TreeRow> => ({
      ...column,
      cell: (row) => (row.isRest ? index === 0 && `All ${countOf(row.key.children)}` : cell(row.key)),
    }),
  );
  return (
    <>
      <ErrorNotice what="The keys could not be loaded." error={roots.error ?? tree.error} />
      <DataTable
        label="API keys"
        view={view}
        columns={[
          ...columns,
          {
            header: "Revoke",
            cell: (row) => !row.isRest && actions.revokeButton(row.key),
            width: "6rem",
            align: "end",
            quiet: true,
          },
        ]}
        rows={tree.rows}
        rowId={(row) => (row.isRest ? `${row.key.id} rest` : row.key.id)}
        rowHref={(row) => routes.apiKeys.read(row.key.id)}
        rowMenu={(row) => (row.isRest ? [] : actions.menuOf(row.key))}
        {...(tree.branches && { rowBranch: tree.branchOf })}
        selection={{
          ...selection,
          nameOf: ({ key }) => selection.nameOf(key),
          fits: ({ key, isRest }) => !isRest && selection.fits(key),
          chosen: new Map(
            tree.rows?.flatMap((row) => (selection.chosen.has(row.key.id) ? [[row.key.id, row]] : [])),
          ),
          renew: (rows) => selection.renew(rows.map(({ key }) => key)),
          choose: (rows, on) =>
            selection.choose(
              rows.map(({ key }) => key),
              on,
            ),
        }}
        empty={<NoKeys />}
        footer={
          <Pagination
            nextCursor={roots.data?.nextCursor ?? null}
            total={roots.data?.total}
            // Keys below them are rows, too, but not counted.
            rows={["key at the top level", "keys at the top level"]}
          />
        }
      />
    </>
  );
}

/** Shown if the account has no keys yet. */
function NoKeys() {
  const curl = curlOf(useOrigin(), { method: "GET", path: "/projects", idempotent: false });
  return (
    <EmptyState title="No keys yet" curl={curl}>
      Your backend sends a key with each call. Give it only the scopes that its work needs; its secret is
      shown once.
    </EmptyState>
  );
}
