"use client";

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Archiving } from "#app/(console)/workflows/stored/[workflowId]/archiving.tsx";
import { VersionDifference } from "#app/(console)/workflows/stored/[workflowId]/version-difference.tsx";
import { VersionRuns } from "#app/(console)/workflows/stored/[workflowId]/version-runs.tsx";
import type { Stored } from "#app/(console)/workflows/stored/queries.ts";
import { drawnWorkflow } from "#app/(console)/workflows/workflow.ts";
import { WorkflowGraph } from "#app/(console)/workflows/workflow-graph.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

type Version = Stored & { runs: number; liveRuns: number };

const columns: Column<Version>[] = [
  { header: "Version", cell: ({ version }) => `Version ${version}`, width: "8rem" },
  { header: "What it does", cell: ({ description }) => description ?? "–", minor: true },
  { header: "Put by", cell: ({ createdBy }) => createdBy.label },
  { header: "Runs", cell: ({ runs }) => <Count value={runs} />, align: "end", width: "6rem" },
  { header: "Live", cell: ({ liveRuns }) => <Count value={liveRuns} />, align: "end", width: "6rem" },
  {
    header: "Put",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
];

/** A stored workflow: its versions and, for the selected version, its steps, changes and runs. */
export function StoredDetail({ workflowId, mayWrite }: { workflowId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const { workflow, versions } = useSuspenseQuery(trpc.workflows.read.queryOptions({ workflowId })).data;
  const filters = useFilters(["version", "with"]);
  const chosen = versions.find(({ version }) => String(version) === filters.values.version) ?? workflow;
  const { version } = chosen;
  const content = useQuery(
    trpc.workflows.versions.read.queryOptions({ workflowId, version: String(version) }),
  );
  // A person acts for the chosen project, and would otherwise store a copy beside the other project's workflow.
  const isTheirs = workflow.projectId === useChosenProject() && workflow.endUser === null;
  const mayChange = mayWrite && isTheirs;
  const others = versions.filter((other) => other.version !== version);

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.workflows.stored()}>Stored workflows</TextLink>}
        title={workflow.name}
        badge={<Status value={workflow.status} />}
        action={
          mayChange && (
            <>
              <Archiving workflow={workflow} />
              {workflow.status === "active" && (
                <ButtonLink href={routes.workflows.create({ stored: workflowId })}>New version</ButtonLink>
              )}
            </>
          )
        }
      />
      <Section title="Versions">
        <DataTable
          label="Versions"
          columns={columns}
          rows={versions}
          rowId={({ version }) => String(version)}
          rowHref={(row) => routes.workflows.storedOne(workflowId, { version: String(row.version) })}
          empty={null}
        />
      </Section>
      <ErrorNotice what="The version could not be loaded." error={content.error} />
      <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2">
        <Section title={`Steps of version ${version}`}>
          {content.data && <WorkflowGraph workflow={drawnWorkflow(content.data.definition)} />}
        </Section>
        <Section title="Differences">
          {others.length === 0 ? (
            <p className="text-13 text-muted">It is the only version that is kept.</p>
          ) : (
            <VersionDifference
              workflowId={workflowId}
              version={version}
              others={others.map((other) => other.version)}
              filters={filters}
            />
          )}
        </Section>
      </div>
      <VersionRuns workflow={workflow} version={version} mayWrite={mayWrite} />
    </Page>
  );
}
