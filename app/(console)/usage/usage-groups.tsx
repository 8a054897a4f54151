"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { addressIn } from "#app/(console)/_shell/project-address.ts";
import { statusName } from "#app/(console)/audit/response-statuses.ts";
import type { GroupsOverTimeProps } from "#app/(console)/usage/groups-over-time.tsx";
import type { Period } from "#app/(console)/usage/period.ts";
import { type Grouping, groupings, type narrowing, type usageQueries } from "#app/(console)/usage/queries.ts";
import { inMs, share, type Totals } from "#app/(console)/usage/usage-figures.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { LazyListTools } from "#components/table/lazy-list-tools.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { useSorted } from "#components/table/use-sorted.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Section } from "#components/ui/section.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { outcomeOf } from "#server/audit/outcomes.ts";

const GroupsOverTime = inBrowser<GroupsOverTimeProps>(() =>
  import("#app/(console)/usage/groups-over-time.tsx").then(({ GroupsOverTime }) => GroupsOverTime),
);

type Key = string | null;
type Group = { key: Key } & Totals;
type Usage = { totals: Totals; groups: Group[]; truncated: boolean };
type Row = Group & { name: string; ofAll: number };

const numbers: Column<Row>[] = [
  count("Requests", ({ requests }) => requests, "7rem"),
  {
    header: "Share",
    cell: (row) => share(row.ofAll),
    csv: (row) => row.ofAll,
    align: "end",
    width: "6rem",
    minor: true,
  },
  count("Errors", ({ errors }) => errors),
  count("Limited", ({ limited }) => limited),
  count("Credits", ({ chargedCredits }) => chargedCredits, "7rem"),
  { ...duration("p50", ({ p50Ms }) => p50Ms), minor: true },
  duration("p95", ({ p95Ms }) => p95Ms),
  { ...duration("p99", ({ p99Ms }) => p99Ms), minor: true },
];

function count(header: string, csv: (row: Row) => number, width = "6rem"): Column<Row> {
  const sort = header.toLowerCase();
  return { header, cell: (row) => <Count value={csv(row)} />, csv, sort, align: "end", width };
}

function duration(header: string, csv: (row: Row) => number | null): Column<Row> {
  return { header, cell: (row) => inMs(csv(row)), csv, sort: header, align: "end", width: "5.5rem" };
}

const columnsBy = Object.fromEntries(
  groupings.map(({ value, one }) => [
    value,
    [
      {
        header: one,
        cell: (row: Row) => row.name,
        csv: [
          { header: one, value: (row: Row) => row.name },
          ...(value === "key" || value === "project" ? [{ header: "Id", value: (row: Row) => row.key }] : []),
        ],
      },
      ...numbers,
    ],
  ]),
) as Record<Grouping, Column<Row>[]>;

/** Groups the period's requests; a row links to its requests in the audit. */
export function UsageGroups({
  filters,
  grouping,
  period,
  query,
  overTime,
  refetchInterval,
  usage,
  failed,
}: {
  filters: Filters<"by" | (typeof narrowing)[number]>;
  grouping: Grouping;
  period: Period;
  /** The query that the export repeats. */
  query: ReturnType<typeof usageQueries>["perGroup"];
  overTime: ReturnType<typeof usageQueries>["overTime"];
  refetchInterval: number | false;
  usage: Usage | undefined;
  failed: boolean;
}) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const readNames = async (keys: Key[]) =>
    (await import("#app/(console)/usage/read-group-names.ts")).readGroupNames(client, keys, grouping);
  const keys = usage ? keysOf(usage).sort() : [];
  const names = useQuery({
    queryKey: [...trpc.search.list.pathKey(), keys],
    queryFn: () => readNames(keys),
    placeholderData: keepPreviousData,
  });

  async function readRows() {
    const { usage } = await client.usage.read.query(query);
    const names = await readNames(keysOf(usage));
    return { rows: rowsOf(usage, grouping, names), truncated: usage.truncated };
  }

  const rows = usage && rowsOf(usage, grouping, names.data);
  const table = useSorted(`usage by ${grouping}`, columnsBy[grouping], rows, readRows, CUT);

  const [comparing, setComparing] = useState(false);
  const filterOf = (key: string) =>
    grouping === "key" && key.startsWith("mbr_") ? "memberId" : filtersOf[grouping];
  const search = useSearchParams();
  const { operation, keyId, memberId, endUser, outcome, status } = filters.values;
  const listed = (chosen: Record<string, string>) =>
    routes.audit({ ...period.query, operation, keyId, memberId, endUser, outcome, status, ...chosen });
  const only = (filter: NonNullable<(typeof filtersOf)[Grouping]>, key: string) => [
    { label: "Denied requests", href: listed({ [filter]: key, outcome: "denied", status: "" }) },
    { label: "Failed requests", href: listed({ [filter]: key, outcome: "error", status: "" }) },
    filter === "projectId"
      ? {
          label: "Only this project",
          href: addressIn(key, { pathname: routes.usage(), search: String(search) }),
        }
      : {
          label: `Only this ${wordOf[filter] ?? grouping}`,
          onSelect: () => filters.set(filter, key),
        },
  ];
  const ofStatus = (key: string) => {
    const outcome = outcomeOf(Number(key));
    return [
      { label: "Only this response", onSelect: () => filters.set("status", key) },
      { label: `Only ${outcomeWords[outcome]} requests`, onSelect: () => filters.set("outcome", outcome) },
      { label: `List the ${outcomeWords[outcome]} requests`, href: listed({ outcome, status: "" }) },
    ];
  };
  const hrefOf = ({ key }: Row) => {
    if (key === null) return undefined;
    if (grouping === "status") return listed({ status: key });
    const filter = filterOf(key);
    return filter && isListed(filter, key) ? listed({ [filter]: key }) : undefined;
  };
  const menuOf = ({ key }: Row) => {
    if (key === null) return [];
    if (grouping === "status") return ofStatus(key);
    const filter = filterOf(key);
    return filter && isListed(filter, key) ? only(filter, key) : [];
  };

  return (
    <Section
      title="What made it up?"
      action={
        <div className="flex flex-wrap items-center gap-1">
          <Segments
            label="Group by"
            options={groupings}
            value={grouping}
            onChange={(value) => filters.set("by", value === "operation" ? "" : value)}
          />
          {grouping !== "service" && (
            <Button size="sm" aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
              Over time
            </Button>
          )}
          <LazyListTools view={table.view} columns={table.columns} start={table.start} />
        </div>
      }
    >
      {comparing && grouping !== "service" && (
        <GroupsOverTime
          period={period}
          overTime={overTime}
          groups={table.rows ?? []}
          filterOf={(key) => (grouping === "status" ? "status" : filterOf(key))}
          refetchInterval={refetchInterval}
        />
      )}
      <DataTable
        label={`Usage by ${grouping}`}
        columns={table.columns}
        rows={table.rows}
        view={table.view}
        failed={failed}
        rowId={(row) => row.key ?? ""}
        rowHref={hrefOf}
        rowMenu={filtersOf[grouping] || grouping === "status" ? menuOf : undefined}
        footer={usage?.truncated && <p className="pt-3 text-13 text-muted">{CUT}</p>}
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

const CUT = "Only the 1,000 groups with the most requests are here.";

const firstCall = `curl "$BASE_URL/v1/usage" -H "Authorization: Bearer $API_KEY"`;

/** The filter that a row of each grouping sets; that of a member is `memberId`. */
const filtersOf: Partial<Record<Grouping, (typeof narrowing)[number] | "projectId">> = {
  operation: "operation",
  key: "keyId",
  endUser: "endUser",
  project: "projectId",
};

const wordOf: Record<string, string> = { endUser: "end user", memberId: "person" };

const keysOf = ({ groups }: Usage) => groups.map(({ key }) => key);

const rowsOf = ({ groups, totals }: Usage, grouping: Grouping, names?: ReadonlyMap<string, string>): Row[] =>
  groups.map((group) => ({
    ...group,
    name: nameOf(group.key, grouping, names),
    ofAll: group.requests / totals.requests,
  }));

function nameOf(key: Key, grouping: Grouping, names?: ReadonlyMap<string, string>): string {
  if (key === null) return grouping === "status" ? "Not counted by status" : "None";
  return grouping === "status" ? statusName(key) : (names?.get(key) ?? key);
}

/** True if the audit can be filtered by the group: it has no filter for credit tokens. */
const isListed = (filter: string, key: string) => filter !== "keyId" || key.startsWith("key_");

const outcomeWords = { allowed: "allowed", denied: "denied", error: "failed" } as const;
