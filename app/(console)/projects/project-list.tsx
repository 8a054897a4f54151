"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { projectList } from "#app/(console)/projects/queries.ts";
import { useArchiving } from "#app/(console)/projects/use-archiving.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Project } from "#server/projects/schema.ts";

const columns: Column<Project>[] = [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name, sort: "name" },
  {
    header: "Slug",
    cell: ({ slug }) => <span className="font-mono">{slug}</span>,
    csv: ({ slug }) => slug,
    minor: true,
  },
  {
    header: "Description",
    cell: ({ description }) => description ?? "–",
    csv: ({ description }) => description,
    minor: true,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "7rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

export function ProjectList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(projectList);
  const query = trpc.projects.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const archiving = useArchiving();
  const queries = useQueryClient();
  const selection = useSelection<Project>({ idOf: ({ id }) => id, nameOf: ({ name }) => name });

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
      <ListTable
        state={state}
        label="Projects"
        columns={columns}
        list={list}
        failed="The projects could not be loaded."
        ask={client.projects.list.query}
        rowsOf={({ projects }) => projects}
        rowHref={(project) => routes.projects.read(project.id)}
        {...(mayWrite && {
          selection,
          rowMenu: (project: Project) => [
            ...(project.status === "active"
              ? [{ label: "Edit", href: routes.projects.edit(project.id) }]
              : []),
            archiving.actionOf(project),
          ],
        })}
        empty={<NoProjects />}
      >
        <ErrorNotice what="The project was not restored." error={archiving.restoreError} />
        <Many
          selection={selection}
          counted={countedBy("project")}
          noteOf={({ slug }) => <span className="font-mono">{slug}</span>}
          actions={[
            {
              verb: "Archive",
              fits: ({ status }) => status === "active",
              text: "Everything in each stays readable, and nothing in it can be changed until you restore it.",
              act: ({ id }) => client.projects.archive.mutate({ projectId: id }),
            },
            {
              verb: "Restore",
              fits: ({ status }) => status === "archived",
              text: "Everything in each can be changed again.",
              act: ({ id }) => client.projects.restore.mutate({ projectId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.projects.pathFilter())}
        />
      </ListTable>
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
