"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { filterNames, projectsQuery, statuses } from "#app/(console)/projects/queries.ts";
import { useArchiving } from "#app/(console)/projects/use-archiving.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Project } from "#server/projects/schema.ts";

const columns: Column<Project>[] = [
  { header: "Name", cell: (project) => project.name },
  { header: "Slug", cell: (project) => <span className="font-mono">{project.slug}</span>, minor: true },
  { header: "Description", cell: (project) => project.description ?? "–", minor: true },
  { header: "Status", cell: (project) => <Status value={project.status} />, width: "7rem" },
  { header: "Created", cell: (project) => <RelativeTime at={project.createdAt} />, width: "8rem" },
];

export function ProjectList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.projects.list.queryOptions(projectsQuery(filters.values, useCursor()));
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const archiving = useArchiving();

  return (
    <Page>
      <PageHeader
        title="Projects"
        sentence="A project is a part of your account. A key that is bound to one sees and touches nothing else."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.projects.create()}>
              New project
            </ButtonLink>
          )
        }
      />
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
      </FilterBar>
      <ErrorNotice what="The projects could not be loaded." error={list.error} />
      <DataTable
        label="Projects"
        columns={columns}
        rows={list.data?.projects}
        rowId={(project) => project.id}
        rowHref={(project) => routes.projects.read(project.id)}
        {...(mayWrite && {
          rowMenu: (project: Project) => [
            ...(project.status === "active"
              ? [{ label: "Edit", href: routes.projects.edit(project.id) }]
              : []),
            archiving.actionOf(project),
          ],
        })}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoProjects />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {archiving.dialog}
    </Page>
  );
}

function NoProjects() {
  const call = { method: "POST", path: "/projects", idempotent: true, body: { name: "Web shop" } };
  const curl = curlOf(useOrigin(), call);
  return (
    <EmptyState title="No projects yet" curl={curl}>
      A project keeps the keys and the data of one app or environment apart from those of another: “Web shop”,
      “Staging”. An account works without any, too.
    </EmptyState>
  );
}
