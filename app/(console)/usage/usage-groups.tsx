"use client";

import { useQuery } from "@tanstack/react-query";
import type { Period } from "#app/(console)/usage/period.ts";
import { type Grouping, groupings } from "#app/(console)/usage/queries.ts";
import { share, type Totals } from "#app/(console)/usage/usage-figures.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";
import { Segments } from "#components/ui/segments.tsx";

type Group = { key: string | null; p50Ms: number; p95Ms: number } & Totals;
type Row = Group & { name: string; ofAll: number };

const numbers: Column<Row>[] = [
  { header: "Requests", cell: (row) => <Count value={row.requests} />, align: "end", width: "7rem" },
  { header: "Share", cell: (row) => share(row.ofAll), align: "end", width: "6rem", minor: true },
  { header: "Errors", cell: (row) => <Count value={row.errors} />, align: "end", width: "6rem" },
  { header: "Limited", cell: (row) => <Count value={row.limited} />, align: "end", width: "6rem" },
  { header: "Credits", cell: (row) => <Count value={row.chargedCredits} />, align: "end", width: "7rem" },
  { header: "p50", cell: (row) => `${row.p50Ms} ms`, align: "end", width: "5.5rem", minor: true },
  { header: "p95", cell: (row) => `${row.p95Ms} ms`, align: "end", width: "5.5rem" },
];
const columnsBy = Object.fromEntries(
  groupings.map(({ value, label }) => [value, [{ header: label, cell: (row: Row) => row.name }, ...numbers]]),
) as Record<Grouping, Column<Row>[]>;

/** The period by what made it up; a row goes to its requests in the audit. */
export function UsageGroups({
  filters,
  grouping,
  period,
  usage,
  failed,
}: {
  filters: Filters<"by">;
  grouping: Grouping;
  period: Period;
  usage: { totals: Totals; groups: Group[] } | undefined;
  failed: boolean;
}) {
  const trpc = useTRPC();
  const keys = useQuery({ ...trpc.apiKeys.list.queryOptions({ limit: 100 }), enabled: grouping === "key" });
  const me = useQuery({ ...trpc.me.read.queryOptions(), enabled: grouping === "key" });
  const names = new Map(keys.data?.apiKeys.map(({ id, label }) => [id, label]));
  if (me.data) names.set(me.data.memberId, `${me.data.name} (you)`);
  const rows = usage?.groups.map((group) => ({
    ...group,
    name: (group.key && names.get(group.key)) || nameOf(group.key),
    ofAll: group.requests / usage.totals.requests,
  }));

  return (
    <Section
      title="What made it up?"
      action={
        <Segments
          label="Group by"
          options={groupings}
          value={grouping}
          onChange={(value) => filters.set("by", value === "operation" ? "" : value)}
        />
      }
    >
      <DataTable
        label={`Usage by ${grouping}`}
        columns={columnsBy[grouping]}
        rows={rows}
        failed={failed}
        rowId={(row) => row.key ?? ""}
        rowHref={(row) => auditOf(grouping, row.key, period)}
        empty={
          <EmptyState title="No requests in this period" curl={firstCall}>
            Each call of a key counts here within a second, with how it ended, how long it took and what it
            cost.
          </EmptyState>
        }
      />
    </Section>
  );
}

const firstCall = `curl "$BASE_URL/v1/usage" -H "Authorization: Bearer $API_KEY"`;

function nameOf(key: string | null): string {
  if (key === null) return "None";
  return key.startsWith("mbr_") ? `A member, ${shorten(key)}` : key;
}

function auditOf(grouping: Grouping, key: string | null, { query }: Period): string | undefined {
  if (key === null) return undefined;
  if (grouping === "operation") return routes.audit({ ...query, operation: key });
  return grouping === "key" && key.startsWith("key_") ? routes.audit({ ...query, keyId: key }) : undefined;
}
