"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ManyMembers } from "#app/(console)/members/many-members.tsx";
import { memberList, roleName } from "#app/(console)/members/queries.ts";
import { useLeaving } from "#app/(console)/members/use-leaving.tsx";
import { useRemoving } from "#app/(console)/members/use-removing.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
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

/** Lists the account's members; an owner changes them, and everybody may leave. */
export function MemberTable({ me, owner }: { me: string; owner: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(memberList);
  const query = trpc.members.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const removing = useRemoving();
  const leaving = useLeaving();
  // Owners change or remove themselves by their own row's menu, never along with others.
  const selection = useSelection<Member>({
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    fits: ({ id }) => id !== me,
  });

  const menuOf = (member: Member): MenuItem[] => [
    ...(owner ? [{ label: "Change role", href: `${routes.members.role(member.id)}${state.suffix}` }] : []),
    ...(owner && member.id !== me
      ? [{ label: "Remove", danger: true, onSelect: () => removing.ask(member) }]
      : []),
    ...(member.id === me ? [{ label: "Leave", danger: true, onSelect: leaving.ask }] : []),
  ];

  const columns = columnsFor(me);
  return (
    <>
      <ListTable
        state={state}
        label="Members"
        columns={columns}
        list={list}
        failed="The members could not be loaded."
        ask={client.members.list.query}
        rowsOf={({ members }) => members}
        rowMenu={menuOf}
        {...(owner && { selection })}
        empty={null}
      >
        <ManyMembers selection={selection} />
      </ListTable>
      {removing.dialog}
      {leaving.dialog}
    </>
  );
}
