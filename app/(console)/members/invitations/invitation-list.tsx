"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { MemberTabs } from "#app/(console)/members/member-tabs.tsx";
import { invitationList, roleName } from "#app/(console)/members/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Invitation } from "#server/members/schema.ts";

const columns: Column<Invitation>[] = [
  {
    header: "Email",
    plain: true,
    cell: ({ email }) => <span className="break-all">{email}</span>,
    csv: ({ email }) => email,
  },
  { header: "Role", plain: true, cell: ({ role }) => roleName(role), csv: ({ role }) => role, width: "7rem" },
  {
    header: "Mail",
    cell: (invitation) => <MailState invitation={invitation} />,
    csv: ({ mail }) => mail,
    width: "11rem",
  },
  {
    header: "Invited by",
    cell: ({ invitedBy }) => invitedBy ?? "–",
    csv: ({ invitedBy }) => invitedBy,
    width: "10rem",
    minor: true,
  },
  {
    header: "Invited",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
    minor: true,
  },
  {
    header: "Expires",
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt,
    width: "8rem",
  },
  idColumn,
];

const isPending = ({ status }: Invitation) => status === "pending";

/** Lists the invitations to the account; pending ones can be revoked. */
export function InvitationList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const state = useList(invitationList);
  const query = trpc.invitations.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const refresh = () => queries.invalidateQueries(trpc.invitations.pathFilter());
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useMutation(
    trpc.invitations.revoke.mutationOptions({
      async onSuccess({ invitation }) {
        await refresh();
        setRevoking(null);
        toast(`The invitation of ${invitation.email} is revoked.`);
      },
    }),
  );
  const selection = useSelection<Invitation>({
    idOf: ({ id }) => id,
    nameOf: ({ email }) => email,
    fits: isPending,
  });
  return (
    <Page>
      <PageHeader
        title="Members"
        sentence="An invitation is good once, for the person with its address."
        action={
          <ButtonLink variant="primary" href={routes.members.create()}>
            Invite member
          </ButtonLink>
        }
      />
      <MemberTabs owner />
      <ListTable
        state={state}
        label="Invitations"
        columns={columns}
        list={list}
        failed="The invitations could not be loaded."
        ask={client.invitations.list.query}
        rowsOf={({ invitations }) => invitations}
        rowMenu={(invitation) =>
          isPending(invitation)
            ? [{ label: "Revoke", danger: true, onSelect: () => setRevoking(invitation) }]
            : []
        }
        {...(state.query.status === "pending" && { selection })}
        empty={
          <EmptyState title="No invitation waits">
            An invited person signs up by a link, with the role that you give them. Accepted invitations stay
            listed under their status.
          </EmptyState>
        }
      >
        <Many
          selection={selection}
          counted={countedBy("invitation")}
          noteOf={({ role }) => roleName(role)}
          actions={[
            {
              verb: "Revoke",
              danger: true,
              text: "The link of each leads nowhere from this moment.",
              act: ({ id }) => client.invitations.revoke.mutate({ invitationId: id }),
            },
          ]}
          refresh={refresh}
        />
      </ListTable>
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title={`Revoke the invitation of ${revoking?.email}?`}
        action="Revoke"
        danger
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ invitationId: revoking.id })}
      >
        Its link leads nowhere from this moment.
      </ConfirmDialog>
    </Page>
  );
}

function MailState({ invitation: { mail, mailError } }: { invitation: Invitation }) {
  if (mail === "none") return "Link handed over";
  if (mail === "sent") return <Badge tone="ok">Sent</Badge>;
  return (
    <span className="flex min-w-0 flex-col items-start gap-1">
      {mail === "failed" ? <Badge tone="bad">Not sent</Badge> : <Badge tone="warn">Waiting</Badge>}
      {mailError && <span className="break-words text-12 text-muted">{mailError}</span>}
    </span>
  );
}
