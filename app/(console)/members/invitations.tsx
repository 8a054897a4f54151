"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PENDING, roleName } from "#app/(console)/members/queries.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Invitation } from "#server/members/schema.ts";

const columns: Column<Invitation>[] = [
  { header: "Email", plain: true, cell: ({ email }) => <span className="break-all">{email}</span> },
  { header: "Role", plain: true, cell: ({ role }) => roleName(role), width: "7rem" },
  { header: "Mail", cell: (invitation) => <MailState invitation={invitation} />, width: "11rem" },
  { header: "Expires", cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />, width: "8rem", minor: true },
];

/** Lists the pending invitations; nothing if there are none. */
export function Invitations() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const list = useQuery(trpc.invitations.list.queryOptions(PENDING));
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useMutation(
    trpc.invitations.revoke.mutationOptions({
      async onSuccess({ invitation }) {
        await queries.invalidateQueries(trpc.invitations.pathFilter());
        setRevoking(null);
        toast(`The invitation of ${invitation.email} is revoked.`);
      },
    }),
  );
  const open = list.data?.invitations ?? [];
  return (
    <>
      <ErrorNotice what="The invitations could not be loaded." error={list.error} />
      {open.length > 0 && (
        <Section title="Invitations" description="Each is good once, for the person with this address.">
          <DataTable
            label="Invitations"
            columns={columns}
            rows={open}
            rowId={({ id }) => id}
            rowMenu={(invitation) => [
              { label: "Revoke", danger: true, onSelect: () => setRevoking(invitation) },
            ]}
            empty={null}
          />
        </Section>
      )}
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
    </>
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
