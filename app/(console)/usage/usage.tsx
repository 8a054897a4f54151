"use client";

import { useQuery } from "@tanstack/react-query";
import { statusChoices } from "#app/(console)/audit/response-statuses.ts";
import { periodOf } from "#app/(console)/usage/period.ts";
import { PeriodPicker } from "#app/(console)/usage/period-picker.tsx";
import { filterNames, narrowing, outcomeChoices, usageQueries } from "#app/(console)/usage/queries.ts";
import { UsageCharts } from "#app/(console)/usage/usage-charts.tsx";
import { UsageFigures } from "#app/(console)/usage/usage-figures.tsx";
import { UsageGroups } from "#app/(console)/usage/usage-groups.tsx";
import { FilterBar, FilterSelect } from "#components/table/filter-bar.tsx";
import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useClock } from "#components/ui/use-clock.ts";

const LazyFilter = inBrowser(
  () => import("#components/table/lazy-filter.tsx").then(({ LazyFilter }) => LazyFilter),
  <span className="h-8 max-sm:min-w-[40%] max-sm:flex-1 sm:w-36" />,
);

// The last section of the page, in a chunk of its own.
const StoragePanel = inBrowser(() =>
  import("#app/(console)/_storage/storage-panel.tsx").then(({ StoragePanel }) => StoragePanel),
);

/** How often a period that reaches the present is refetched. */
const FOLLOWED_MS = { minute: 5_000, hour: 30_000, day: 300_000 } as const;

type Read = { queryKey: readonly [unknown, { input?: unknown }?] };

/** Keeps the previous data while the period moves, but not the data of another grouping. */
function keepSame(groupBy: string) {
  return <Data,>(before: Data | undefined, query: Read | undefined) => {
    const input = query?.queryKey[1]?.input as { groupBy?: string } | undefined;
    return input?.groupBy === groupBy ? before : undefined;
  };
}

/** Shows the requests and the cost of the account, or of the chosen project, over a period. */
export function Usage({ openedAt, operationIds }: { openedAt: number; operationIds: string[] }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const refetchInterval = FOLLOWED_MS[periodOf(filters.values, openedAt).step];
  const now = useClock(refetchInterval, openedAt);
  const { period, grouping, overTime, perGroup } = usageQueries(filters.values, now);
  const moments = useQuery({
    ...trpc.usage.read.queryOptions(overTime, { placeholderData: keepSame(period.step) }),
    refetchInterval,
  });
  const groups = useQuery({
    ...trpc.usage.read.queryOptions(perGroup, { placeholderData: keepSame(grouping) }),
    refetchInterval,
  });
  const found = useFilters<string>(["keyId", "memberId", "endUser"]);
  const isInProject = useIsInProject();

  return (
    <Page>
      <PageHeader
        title="Usage"
        sentence={`How much the ${isInProject ? "project" : "account"} is used, by what, and what it costs.`}
      />
      <FilterBar
        filters={{
          active: narrowing.some((name) => filters.values[name] !== ""),
          clear: () => {
            for (const name of narrowing) filters.set(name, "");
          },
        }}
      >
        <PeriodPicker filters={filters} period={period} />
        <FilterSelect
          filters={filters}
          name="operation"
          label="Operation"
          options={operationIds.map((id) => ({ value: id, label: id }))}
        />
        <LazyFilter kind="key" filters={found} name="keyId" label="Key" />
        <LazyFilter kind="member" filters={found} name="memberId" label="Person" />
        <LazyFilter kind="endUser" filters={found} name="endUser" label="End user" />
        <FilterSelect filters={filters} name="outcome" label="Outcome" options={outcomeChoices} />
        <FilterSelect filters={filters} name="status" label="Response" options={statusChoices} />
        <FilterSwitch filters={filters} name="consoleReads" label="Console reads" />
      </FilterBar>
      <ErrorNotice what="The usage could not be loaded." error={moments.error} />
      {(moments.data || !moments.error) && (
        <>
          <UsageFigures totals={moments.data?.usage.totals} />
          <UsageCharts period={period} groups={moments.data?.usage.groups} latency />
        </>
      )}
      <ErrorNotice what="The groups could not be loaded." error={groups.error} />
      <UsageGroups
        filters={filters}
        grouping={grouping}
        period={period}
        query={perGroup}
        overTime={overTime}
        refetchInterval={refetchInterval}
        usage={groups.data?.usage}
        failed={groups.isError}
      />
      {!isInProject && <StoragePanel />}
    </Page>
  );
}
