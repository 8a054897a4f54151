"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { isDeletable, isEditable, memoryList, titleOf } from "#app/(console)/memories/queries.ts";
import { requestDeletion, useDeletion } from "#app/(console)/memories/use-deletion.tsx";
import { projectColumn } from "#app/(console)/projects/project-column.ts";
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
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Size } from "#components/ui/size.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";
import type { ListedMemory } from "#server/memory/schema.ts";

/** Returns the columns; `projects` has projects' names by id. Inside a project there is no project column. */
const columnsWith = (projects: ReadonlyMap<string, string>, isInProject: boolean): Column<ListedMemory>[] => [
  {
    header: "Name",
    cell: ({ name }) => (name === null ? "Without a name" : <bdi title={name}>{plainName(name)}</bdi>),
    csv: ({ name }) => name,
    sort: "name",
  },
  {
    header: "Content",
    plain: true,
    cell: ({ beginning }) => <bdi>{plainName(beginning)}</bdi>,
    csv: [{ header: "Beginning", value: ({ beginning }) => beginning }],
    width: "30%",
  },
  {
    header: "Tags",
    cell: ({ tags }) =>
      tags.length > 0 ? <bdi title={tags.join(", ")}>{plainName(tags.join(", "))}</bdi> : "–",
    csv: ({ tags }) => tags.join(", "),
    width: "8rem",
    minor: true,
  },
  projectColumn(projects, isInProject),
  {
    header: "End user",
    cell: ({ endUser }) => (endUser === null ? "–" : <bdi title={endUser}>{plainName(endUser)}</bdi>),
    csv: ({ endUser }) => endUser,
    width: "8rem",
    minor: true,
  },
  {
    header: "Size",
    plain: true,
    cell: ({ contentBytes }) => <Size bytes={contentBytes} />,
    csv: ({ contentBytes }) => contentBytes,
    optional: true,
    align: "end",
    width: "6rem",
  },
  {
    header: "Changed",
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    csv: ({ updatedAt }) => updatedAt,
    optional: true,
    width: "8rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    align: "end",
    width: "7rem",
  },
  idColumn,
];

/** Lists the memories that the person may see, those of end users included. */
export function MemoryList({ mayWrite, mayAsk }: { mayWrite: boolean; mayAsk: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(memoryList);
  const query = trpc.memories.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const names = useNames(list.data?.memories.map(({ projectId }) => projectId) ?? []);
  const isInProject = useIsInProject();
  const columns = useMemo(() => columnsWith(names, isInProject), [names, isInProject]);
  const deletion = useDeletion();
  const queries = useQueryClient();
  const selection = useSelection<ListedMemory>({ idOf: ({ id }) => id, nameOf: titleOf, fits: isDeletable });

  return (
    <Page>
      <PageHeader
        title="Memories"
        sentence="Texts that services and agents store and search, each of one project and one end user, or of neither."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.memories.create()}>
              New memory
            </ButtonLink>
          )
        }
      />
      <ListTable
        state={state}
        label="Memories"
        columns={columns}
        list={list}
        failed="The memories could not be loaded."
        ask={client.memories.list.query}
        rowsOf={({ memories }) => memories}
        rowHref={({ id }) => routes.memories.read(id)}
        {...(mayWrite && {
          rowMenu: (memory: ListedMemory) => [
            ...(isEditable(memory) ? [{ label: "Edit", href: routes.memories.edit(memory.id) }] : []),
            ...(mayAsk && isDeletable(memory)
              ? [{ label: "Delete", danger: true, onSelect: () => deletion.ask(memory) }]
              : []),
          ],
        })}
        {...(mayWrite && mayAsk && { selection })}
        empty={<NoMemories />}
      >
        <Many
          selection={selection}
          counted={countedBy("memory", "memories")}
          noteOf={({ beginning }) => plainName(beginning)}
          actions={[
            {
              verb: "Ask to delete",
              danger: true,
              text: "Their content, tags and metadata would be gone for good, which needs an approval of each. Nothing is deleted until a request is approved and carried out; Approvals lists the requests, and several are decided together there.",
              act: (memory) => requestDeletion(client, memory),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.approvals.pathFilter())}
        />
      </ListTable>
      {deletion.dialog}
    </Page>
  );
}

function NoMemories() {
  const body = { operationId: "put", input: { name: "greeting", content: "Hello, world.", tags: ["first"] } };
  const path = "/services/managed-memory/invoke";
  const curl = curlOf(useOrigin(), { method: "POST", path, idempotent: true, body });
  return (
    <EmptyState title="No memories yet" curl={curl}>
      Store what your app or an agent should know later. It is found again by the words of its name, tags and
      content.
    </EmptyState>
  );
}
