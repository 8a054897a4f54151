"use client";

import { useQuery } from "@tanstack/react-query";
import { type Difference, differencesOf } from "#app/(console)/workflows/stored/[workflowId]/differences.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect } from "#components/table/filter-bar.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";

/** Compares the selected version with another one, by default the previous one. */
export function VersionDifference({
  workflowId,
  version,
  others,
  filters,
}: {
  workflowId: string;
  version: number;
  others: number[];
  filters: Filters<"version" | "with">;
}) {
  const trpc = useTRPC();
  const before = others.find((other) => other < version) ?? others[0] ?? version;
  const other = others.find((one) => String(one) === filters.values.with) ?? before;
  const read = (which: number) =>
    trpc.workflows.versions.read.queryOptions({ workflowId, version: String(which) });
  const [older, newer] = other < version ? [other, version] : [version, other];
  const [first, second] = [useQuery(read(older)), useQuery(read(newer))];
  const differences = first.data && second.data && differencesOf(first.data, second.data);
  const columns: Column<Difference>[] = [
    { header: "Path", cell: ({ what }) => what },
    { header: `Version ${older}`, cell: ({ first }) => <Value text={first} /> },
    { header: `Version ${newer}`, cell: ({ second }) => <Value text={second} /> },
  ];
  return (
    <>
      <FilterBar filters={{ ...filters, active: false }}>
        <FilterSelect
          filters={{ ...filters, values: { ...filters.values, with: String(other) } }}
          name="with"
          label="Compared with"
          all="The version before"
          options={others.map((one) => ({ value: String(one), label: `Version ${one}` }))}
        />
      </FilterBar>
      <ErrorNotice what="The versions could not be loaded." error={first.error ?? second.error} />
      <DataTable
        label="Differences"
        columns={columns}
        rows={differences}
        failed={first.isError || second.isError}
        rowId={({ what }) => what}
        empty={<p className="px-4 py-6 text-muted">They do the same.</p>}
      />
    </>
  );
}

function Value({ text }: { text: string | null }) {
  return text === null ? (
    "–"
  ) : (
    <code className="break-all font-mono text-12 whitespace-pre-wrap">{text}</code>
  );
}
