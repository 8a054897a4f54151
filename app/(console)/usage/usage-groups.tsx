"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { addressIn } from "#app/(console)/_shell/project-address.ts";
import type { Period } from "#app/(console)/usage/period.ts";
import { type Grouping, groupings, type narrowing } from "#app/(console)/usage/queries.ts";
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
import { useNames } from "#components/use-names.ts";
import { defined } from "#server/defined.ts";

type Group = { key: string | null } & Totals;
type Row = Group & { name: string; ofAll: number };

const numbers: Column<Row>[] = [
  { header: "Requests", cell: (row) => <Count value={row.requests} />, align: "end", width: "7rem" },
  { header: "Share", cell: (row) => share(row.ofAll), align: "end", width: "6rem", minor: true },
  { header: "Errors", cell: (row) => <Count value={row.errors} />, align: "end", width: "6rem" },
  { header: "Limited", cell: (row) => <Count value={row.limited} />, align: "end", width: "6rem" },
  { header: "Credits", cell: (row) => <Count value={row.chargedCredits} />, align: "end", width: "7rem" },
  { header: "p50", cell: (row) => `${row.p50Ms} ms`, align: "end", width: "5.5rem", minor: true },
  { header: "p95", cell: (row) => `${row.p95Ms} ms`, align: "end", width: "5.5rem" },
  { header: "p99", cell: (row) => `${row.p99Ms} ms`, align: "end", width: "5.5rem", minor: true },
];
const columnsBy = Object.fromEntries(
  groupings.map(({ value, one }) => [value, [{ header: one, cell: (row: Row) => row.name }, ...numbers]]),
) as Record<Grouping, Column<Row>[]>;

/** Groups the period's requests; a row links to its requests in the audit. */
export function UsageGroups({
  filters,
  grouping,
  period,
  usage,
  failed,
}: {
  filters: Filters<"by" | (typeof narrowing)[number]>;
  grouping: Grouping;
  period: Period;
  usage: { totals: Totals; groups: Group[] } | undefined;
  failed: boolean;
}) {
  const trpc = useTRPC();
  const named = grouping === "key" || grouping === "project";
  const names = useNames(named ? (usage?.groups.map(({ key }) => key) ?? []) : []);
  const me = useQuery({ ...trpc.me.read.queryOptions(), enabled: grouping === "key" });
  const rows = usage?.groups.map((group) => ({
    ...group,
    name: nameOf(group.key, names, me.data),
    ofAll: group.requests / usage.totals.requests,
  }));

  const filter = filterOf[grouping];
  const search = useSearchParams();
  const only = (key: string) => [
    { label: "Errors", href: routes.audit({ ...period.query, [String(filter)]: key, outcome: "denied" }) },
    filter === "projectId"
      ? {
          label: "Only this project",
          href: addressIn(key, { pathname: routes.usage(), search: String(search) }),
        }
      : { label: `Only this ${grouping}`, onSelect: () => filter && filters.set(filter, key) },
  ];

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
        rowMenu={filter && ((row) => (auditOf(grouping, row.key, period) ? only(defined(row.key)) : []))}
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

/** The filter that a row of each grouping sets. */
const filterOf: Partial<Record<Grouping, (typeof narrowing)[number] | "projectId">> = {
  operation: "operation",
  key: "keyId",
  project: "projectId",
};

function nameOf(
  key: string | null,
  names: ReadonlyMap<string, string>,
  me: { memberId: string; name: string } | undefined,
): string {
  if (key === null) return "None";
  if (key === me?.memberId) return `${me.name} (you)`;
  return names.get(key) ?? (key.startsWith("mbr_") ? `A member, ${shorten(key)}` : key);
}

/** Returns the address of a group's requests within the period. */
function auditOf(grouping: Grouping, key: string | null, { query }: Period): string | undefined {
  const filter = filterOf[grouping];
  if (key === null || !filter || (filter === "keyId" && !key.startsWith("key_"))) return undefined;
  return routes.audit({ ...query, [filter]: key });
}
