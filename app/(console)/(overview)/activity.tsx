"use client";

import { useQuery } from "@tanstack/react-query";
import { monthQueries } from "#app/(console)/(overview)/month-queries.ts";
import { latestQuery, waitingQuery } from "#app/(console)/(overview)/queries.ts";
import { waitingColumns } from "#app/(console)/approvals/columns.tsx";
import { columns as requestColumns } from "#app/(console)/audit/columns.tsx";
import { LowCredits } from "#app/(console)/credits/low-credits.tsx";
import { UsageCharts } from "#app/(console)/usage/usage-charts.tsx";
import { UsageFigures } from "#app/(console)/usage/usage-figures.tsx";
import { useAddressNames } from "#components/address-names.tsx";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";

/** Shows pending approvals, the account's usage this month, and its latest requests. */
export function Activity() {
  const trpc = useTRPC();
  const { period, overTime } = monthQueries();
  const balance = useQuery(trpc.credits.balance.read.queryOptions());
  const usage = useQuery(trpc.usage.read.queryOptions(overTime));
  const waiting = useQuery(trpc.approvals.list.queryOptions(waitingQuery)).data?.approvals;
  const names = useAddressNames(waiting?.map(({ summary }) => summary) ?? []);
  const latest = useQuery(trpc.auditEvents.list.queryOptions(latestQuery));
  return (
    <>
      <LowCredits balance={balance.data?.balance} />
      {waiting && waiting.length > 0 && (
        <Section
          title="Waiting for a decision"
          action={<TextLink href={routes.approvals.list()}>All approvals</TextLink>}
        >
          <DataTable
            label="Waiting for a decision"
            columns={waitingColumns(names)}
            rows={waiting}
            rowId={({ id }) => id}
            rowHref={({ id }) => routes.approvals.read(id)}
            empty={null}
          />
        </Section>
      )}
      <Section title="Last 30 days" action={<TextLink href={routes.usage()}>Usage by operation</TextLink>}>
        <ErrorNotice what="The usage could not be loaded." error={usage.error} />
        {(usage.data || !usage.error) && (
          <>
            <UsageFigures totals={usage.data?.usage.totals} />
            <UsageCharts period={period} groups={usage.data?.usage.groups} />
          </>
        )}
      </Section>
      <Section title="Latest requests" action={<TextLink href={routes.audit()}>All requests</TextLink>}>
        <ErrorNotice what="The requests could not be loaded." error={latest.error} />
        <DataTable
          label="Latest requests"
          columns={requestColumns}
          rows={latest.data?.auditEvents}
          failed={latest.isError}
          rowId={({ id }) => id}
          rowHref={({ id }) => routes.auditEvent(id)}
          empty={<p className="p-4 text-muted">None yet.</p>}
        />
      </Section>
    </>
  );
}
