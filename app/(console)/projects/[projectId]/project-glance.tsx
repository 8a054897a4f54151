"use client";

import { useQuery } from "@tanstack/react-query";
import { ProjectKeys } from "#app/(console)/projects/[projectId]/project-keys.tsx";
import { ProjectResources } from "#app/(console)/projects/[projectId]/project-resources.tsx";
import { glanceOf } from "#app/(console)/projects/queries.ts";
import { UsageCharts } from "#app/(console)/usage/usage-charts.tsx";
import { share, UsageFigures } from "#app/(console)/usage/usage-figures.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Count, inUsd } from "#components/ui/amount.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import type { Project } from "#server/projects/schema.ts";

type Spent = { key: string | null; requests: number; chargedCredits: number; ofAll: number };

const columns: Column<Spent>[] = [
  { header: "Service", cell: ({ key }) => key ?? "None" },
  { header: "Requests", cell: ({ requests }) => <Count value={requests} />, align: "end", width: "7rem" },
  { header: "Credits", cell: (row) => <Count value={row.chargedCredits} />, align: "end", width: "7rem" },
  { header: "USD", cell: (row) => inUsd(row.chargedCredits), align: "end", width: "7rem", minor: true },
  { header: "Share", cell: ({ ofAll }) => share(ofAll), align: "end", width: "6rem" },
];
const MAX_SHOWN = 5;

/** Shows a project's usage and cost, its keys, and its newest resources. */
export function ProjectGlance({ project, mayManageKeys }: { project: Project; mayManageKeys: boolean }) {
  return (
    <>
      <ProjectUsage projectId={project.id} />
      {mayManageKeys && <ProjectKeys project={project} />}
      <ProjectResources projectId={project.id} />
    </>
  );
}

/** Shows the project's usage and cost of the last 30 days. */
function ProjectUsage({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const { period, overTime, perService } = glanceOf(projectId);
  const usage = useQuery(trpc.usage.read.queryOptions(overTime));
  const services = useQuery(trpc.usage.read.queryOptions(perService));
  const all = services.data?.usage.totals.chargedCredits ?? 0;
  const spent = services.data?.usage.groups
    .filter(({ chargedCredits }) => chargedCredits > 0)
    .toSorted((one, other) => other.chargedCredits - one.chargedCredits)
    .slice(0, MAX_SHOWN)
    .map((group) => ({ ...group, ofAll: group.chargedCredits / (all || 1) }));
  return (
    <>
      <Section
        title="Last 30 days"
        action={
          <div className="flex flex-wrap items-center gap-3">
            <TextLink href={routes.usage({ projectId })}>All usage</TextLink>
            <TextLink href={routes.audit({ projectId })}>All requests</TextLink>
          </div>
        }
      >
        <ErrorNotice what="The usage could not be loaded." error={usage.error} />
        {(usage.data || !usage.error) && (
          <>
            <UsageFigures totals={usage.data?.usage.totals} />
            <UsageCharts period={period} groups={usage.data?.usage.groups} />
          </>
        )}
      </Section>
      <Section
        title="Spending"
        action={<TextLink href={routes.credits({ projectId })}>All spending</TextLink>}
      >
        <ErrorNotice what="The spending could not be loaded." error={services.error} />
        <DataTable
          label="Spending"
          columns={columns}
          rows={spent}
          failed={services.isError}
          rowId={({ key }) => key ?? ""}
          empty={<p className="p-4 text-muted">Nothing was charged in these days.</p>}
        />
      </Section>
    </>
  );
}
