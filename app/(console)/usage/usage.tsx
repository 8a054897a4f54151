"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { StoragePanel } from "#app/(console)/_storage/storage-panel.tsx";
import { PeriodPicker } from "#app/(console)/usage/period-picker.tsx";
import { filterNames, usageQueries } from "#app/(console)/usage/queries.ts";
import { UsageCharts } from "#app/(console)/usage/usage-charts.tsx";
import { UsageFigures } from "#app/(console)/usage/usage-figures.tsx";
import { UsageGroups } from "#app/(console)/usage/usage-groups.tsx";
import { useProjectChoices } from "#components/form/use-choices.tsx";
import { FilterBar, FilterSelect, FilterSwitch } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** What the account has asked of the platform over a period, and what it cost. */
export function Usage() {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const { period, grouping, perDay, perGroup } = usageQueries(filters.values);
  const days = useQuery({ ...trpc.usage.read.queryOptions(perDay), placeholderData: keepPreviousData });
  const groups = useQuery({ ...trpc.usage.read.queryOptions(perGroup), placeholderData: keepPreviousData });
  const projects = useProjectChoices();

  return (
    <Page>
      <PageHeader title="Usage" sentence="How much the account is used, by what, and what it costs." />
      <FilterBar
        filters={{ active: filters.values.projectId !== "", clear: () => filters.set("projectId", "") }}
      >
        <PeriodPicker filters={filters} period={period} />
        <FilterSelect filters={filters} name="projectId" label="Project" {...projects} />
        <FilterSwitch filters={filters} name="consoleReads" label="Console reads" />
      </FilterBar>
      <ErrorNotice what="The usage could not be loaded." error={days.error} />
      {(days.data || !days.error) && (
        <>
          <UsageFigures totals={days.data?.usage.totals} />
          <UsageCharts days={period.days} groups={days.data?.usage.groups} />
        </>
      )}
      <ErrorNotice what="The groups could not be loaded." error={groups.error} />
      <UsageGroups
        filters={filters}
        grouping={grouping}
        period={period}
        usage={groups.isPlaceholderData ? undefined : groups.data?.usage}
        failed={groups.isError}
      />
      <StoragePanel />
    </Page>
  );
}
