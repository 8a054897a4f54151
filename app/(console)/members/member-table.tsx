"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memberList, roleName } from "#app/(console)/members/queries.ts";
import { useLeaving } from "#app/(console)/members/use-leaving.tsx";
import { useRemoving } from "#app/(console)/members/use-removing.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { idColumn } from "#components/table/id-column.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { Pagination } from "#components/table/pagination.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { MenuItem } from "#components/ui/menu.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Member } from "#server/members/schema.ts";

const columnsFor = (me: string): Column<Member>[] => [
  {
    header: "Name",
    cell: ({ id, name }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="min-w-0 truncate">{name}</span>
        {id === me && <Badge>You</Badge>}
      </span>
    ),
    csv: ({ name }) => name,
  },
  {
    header: "Email",
    plain: true,
    cell: ({ email }) => <span className="break-all">{email}</span>,
    csv: ({ email }) => email,
  },
  { header: "Role", plain: true, cell: ({ role }) => roleName(role), csv: ({ role }) => role, width: "7rem" },
  {
    header: "Second factor",
    cell: ({ secondFactor }) => (secondFactor ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>),
    csv: ({ secondFactor }) => (secondFactor ? "on" : "off"),
    width: "8rem",
  },
  {
    header: "Joined",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
    minor: true,
  },
  idColumn,
];

/** The account's members; an owner changes them, and everybody may leave. */
export function MemberTable({ me, owner }: { me: string; owner: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(memberList);
  const query = trpc.members.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const removing = useRemoving();
  const leaving = useLeaving();

  const menuOf = (member: Member): MenuItem[] => [
    ...(owner ? [{ label: "Change role", href: routes.members.role(member.id) }] : []),
    ...(owner && member.id !== me
      ? [{ label: "Remove", danger: true, onSelect: () => removing.ask(member) }]
      : []),
    ...(member.id === me ? [{ label: "Leave", danger: true, onSelect: leaving.ask }] : []),
  ];

  const columns = columnsFor(me);
  return (
    <>
      <ListBar
        state={state}
        columns={columns}
        page={async (query) => {
          const { members, nextCursor } = await client.members.list.query(query);
          return { rows: members, nextCursor };
        }}
      />
      <ErrorNotice what="The members could not be loaded." error={list.error} />
      <DataTable
        label="Members"
        columns={columns}
        rows={list.data?.members}
        failed={list.isError}
        rowId={({ id }) => id}
        rowMenu={menuOf}
        view={state.view}
        empty={<NoMatches filters={state.filters} />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {removing.dialog}
      {leaving.dialog}
    </>
  );
}
