"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { roleName } from "#app/(console)/members/queries.ts";
import { useLeaving } from "#app/(console)/members/use-leaving.tsx";
import { useRemoving } from "#app/(console)/members/use-removing.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
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
  },
  { header: "Email", cell: ({ email }) => <span className="break-all">{email}</span> },
  { header: "Role", cell: ({ role }) => roleName(role), width: "7rem" },
  {
    header: "Second factor",
    cell: ({ secondFactor }) => (secondFactor ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>),
    width: "8rem",
  },
  { header: "Joined", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: "8rem", minor: true },
];

/** The account's members; an owner changes them, and everybody may leave. */
export function MemberTable({ me, owner }: { me: string; owner: boolean }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const query = trpc.members.list.queryOptions({ ...(cursor && { cursor }) });
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

  return (
    <>
      <ErrorNotice what="The members could not be loaded." error={list.error} />
      <DataTable
        label="Members"
        columns={columnsFor(me)}
        rows={list.data?.members}
        failed={list.isError}
        rowId={({ id }) => id}
        rowMenu={menuOf}
        empty={null}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {removing.dialog}
      {leaving.dialog}
    </>
  );
}
