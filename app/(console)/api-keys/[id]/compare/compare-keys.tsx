"use client";

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type Difference, differencesOf } from "#app/(console)/api-keys/[id]/compare/differences.ts";
import { childrenQuery } from "#app/(console)/api-keys/queries.ts";
import { useKeyChoices } from "#components/form/use-choices.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Compares a key with another one, by default its parent. */
export function CompareKeys({ id }: { id: string }) {
  const trpc = useTRPC();
  const { apiKey, ancestors } = useSuspenseQuery(trpc.apiKeys.read.queryOptions({ id })).data;
  const { access } = useSuspenseQuery(trpc.apiKeys.access.read.queryOptions({ keyId: id })).data;
  const filters = useFilters(["with"]);
  const keys = useKeyChoices();
  const other = filters.values.with || (apiKey.parentId ?? "");
  const chosen = other !== "" && other !== id;
  const read = useQuery({ ...trpc.apiKeys.read.queryOptions({ id: other }), enabled: chosen });
  const may = useQuery({ ...trpc.apiKeys.access.read.queryOptions({ keyId: other }), enabled: chosen });
  const against =
    chosen && read.data && may.data ? { apiKey: read.data.apiKey, access: may.data.access } : null;
  const compared = against && differencesOf({ apiKey, access }, against);
  const above = ancestors.map((key) => ({ value: key.id, label: `Above it: ${key.label}` }));
  const siblings = useQuery({
    ...trpc.apiKeys.children.list.queryOptions(childrenQuery(apiKey.parentId ?? "")),
    enabled: apiKey.parentId !== null,
  }).data?.apiKeys.filter((key) => key.id !== id);
  const beside = (siblings ?? []).map((key) => ({ value: key.id, label: `Beside it: ${key.label}` }));
  const near = new Set([id, ...[...above, ...beside].map(({ value }) => value)]);
  const others = keys.options.filter(({ value }) => !near.has(value));
  const columns: Column<Difference>[] = [
    { header: "Item", cell: ({ what }) => <span className="font-mono">{what}</span> },
    { header: "Of", cell: ({ of }) => of, width: "7rem", minor: true },
    { header: apiKey.label, cell: ({ first }) => first, width: "12rem" },
    { header: `${against?.apiKey.label ?? "The other"} `, cell: ({ second }) => second, width: "12rem" },
  ];
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.apiKeys.read(id)}>{apiKey.label}</TextLink>}
        title={`Compare “${apiKey.label}”`}
        sentence="The access that each key has in the end, within the limits of every key above it."
      />
      <FilterBar filters={{ ...filters, active: false }}>
        <FilterSelect
          filters={{ ...filters, values: { with: other } }}
          name="with"
          label="With"
          all="Choose another key"
          options={[...above, ...beside, ...others]}
          find={keys.find}
        />
      </FilterBar>
      <ErrorNotice what="The other key could not be loaded." error={read.error ?? may.error} />
      {!chosen && <p className="text-muted">Choose the key to compare it with.</p>}
      {chosen && (
        <DataTable
          label="Differences"
          columns={columns}
          rows={compared?.differences}
          failed={read.isError || may.isError}
          rowId={({ of, what }) => `${of} ${what}`}
          empty={<p className="px-4 py-6 text-muted">They may do the same.</p>}
          footer={
            compared && (
              <p className="pt-3 text-13 text-muted">
                {`${compared.alike} more scopes, services, operations and limits are alike.`}
              </p>
            )
          }
        />
      )}
    </Page>
  );
}
