"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { DAYS, type Grouping, groupings, spendQueries } from "#app/(console)/credits/queries.ts";
import { share } from "#app/(console)/usage/usage-figures.tsx";
import { readNames } from "#components/read-names.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { LazyListTools } from "#components/table/lazy-list-tools.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useSorted } from "#components/table/use-sorted.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Count, inUsd } from "#components/ui/amount.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { useNames } from "#components/use-names.ts";

type Group = { key: string | null; chargedCredits: number };
type Usage = { totals: { chargedCredits: number }; groups: Group[]; truncated: boolean };
type Row = Group & { name: string; ofAll: number };

const numbers: Column<Row>[] = [
  {
    header: "Credits",
    cell: (row) => <Count value={row.chargedCredits} />,
    csv: (row) => row.chargedCredits,
    sort: "credits",
    align: "end",
    width: "8rem",
  },
  { header: "USD", cell: (row) => inUsd(row.chargedCredits), align: "end", width: "7rem", minor: true },
  {
    header: "Share",
    cell: (row) => share(row.ofAll),
    csv: (row) => row.ofAll,
    align: "end",
    width: "6rem",
  },
];
const columnsBy = Object.fromEntries(
  groupings.map(({ value, label }) => [
    value,
    [
      {
        header: label,
        cell: (row: Row) => row.name,
        csv: [
          { header: label, value: (row: Row) => row.name },
          { header: "Id", value: (row: Row) => row.key },
        ],
      },
      ...numbers,
    ],
  ]),
) as Record<Grouping, Column<Row>[]>;
const MAX_TOTALS = 10;
const CUT = "Only the 1,000 groups with the most requests are considered.";

/** Returns the groups that were charged, largest first. */
const chargedOf = ({ groups }: Usage) =>
  groups
    .filter(({ chargedCredits }) => chargedCredits > 0)
    .toSorted((one, other) => other.chargedCredits - one.chargedCredits);

const rowsOf = (groups: Group[], { totals }: Usage, names: ReadonlyMap<string, string>): Row[] =>
  groups.map(({ key, chargedCredits }) => ({
    key,
    chargedCredits,
    name: key === null ? "None" : (names.get(key) ?? key),
    ofAll: chargedCredits / (totals.chargedCredits || 1),
  }));

/** Groups the spent credits, largest first. */
export function Spending() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const filters = useFilters(["by"], { keepsPage: true });
  const { grouping, perGroup } = spendQueries(filters.values.by);
  const query = useQuery({ ...trpc.usage.read.queryOptions(perGroup), placeholderData: keepPreviousData });
  const usage = query.isPlaceholderData ? undefined : query.data?.usage;
  const largest = usage && chargedOf(usage).slice(0, MAX_TOTALS);
  const namedIn = (groups: Group[] = []) => (grouping === "service" ? [] : groups.map(({ key }) => key));
  const names = useNames(namedIn(largest));

  async function readRows() {
    const { usage } = await client.usage.read.query(perGroup);
    const groups = chargedOf(usage);
    const names = await readNames(client, namedIn(groups));
    return { rows: rowsOf(groups, usage, names), truncated: usage.truncated };
  }

  const rows = largest && rowsOf(largest, usage, names);
  const table = useSorted(`spending by ${grouping}`, columnsBy[grouping], rows, readRows, CUT);
  return (
    <Section
      title="Spending"
      description={`The ${MAX_TOTALS} largest totals of the last ${DAYS} days.`}
      action={
        <div className="flex flex-wrap items-center gap-1">
          <Segments
            label="Spending by"
            options={groupings}
            value={grouping}
            onChange={(value) => filters.set("by", value === "service" ? "" : value)}
          />
          <LazyListTools view={table.view} columns={table.columns} start={table.start} />
        </div>
      }
    >
      <ErrorNotice what="The spending could not be loaded." error={query.error} />
      <DataTable
        label={`Spending by ${grouping}`}
        columns={table.columns}
        rows={table.rows}
        view={table.view}
        failed={query.isError}
        rowId={({ key }) => key ?? ""}
        rowHref={({ key }) => detailOf(grouping, key)}
        empty={<p className="p-4 text-muted">Nothing was charged in these days.</p>}
        footer={usage?.truncated && <p className="pt-3 text-13 text-muted">{CUT}</p>}
      />
    </Section>
  );
}

/** Returns the page behind a group: a key's or project's usage by operation, or a service's own page. */
function detailOf(grouping: Grouping, key: string | null): string | undefined {
  if (key === null) return undefined;
  if (grouping === "project") return routes.usage({ projectId: key });
  if (grouping === "key") return key.startsWith("key_") ? routes.usage({ keyId: key }) : undefined;
  return key === "platform-api" ? routes.usage() : routes.services.read(key);
}
