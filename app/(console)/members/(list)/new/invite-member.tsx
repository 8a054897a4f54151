"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { RoleField } from "#app/(console)/members/role-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ShownOnce } from "#components/ui/shown-once.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { CreateInvitation } from "#server/members/schema.ts";

type Values = { email: string; role: string };

/** Invites a person by mail or, without a configured mail server, by a link to hand over. */
export function InviteMember() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const close = () => router.push(routes.members.invitations());
  const invite = useMutation(
    trpc.invitations.create.mutationOptions({
      async onSuccess({ invitation, link }) {
        await queries.invalidateQueries(trpc.invitations.pathFilter());
        if (link !== null) return;
        toast(`An invitation is on its way to ${invitation.email}.`);
        close();
      },
    }),
  );
  const form = useForm<Values, z.output<typeof CreateInvitation>>({
    schema: () => import("#server/members/schema.ts").then(({ CreateInvitation }) => CreateInvitation),
    initial: { email: "", role: "developer" },
  });
  const { data } = invite;
  if (data?.link)
    return (
      <ShownOnce
        title="Hand over the invitation"
        secret={data.link}
        what="link"
        description={`No mail server is configured, so send this link to ${data.invitation.email} yourself. It is shown this once, and good for seven days.`}
        done="I have sent it"
        onDone={close}
      />
    );
  return (
    <SideModalForm
      title="Invite member"
      parent={routes.members.list()}
      submitLabel="Invite"
      form={form}
      pending={invite.isPending}
      error={invite.error}
      failed="Nobody was invited."
      onSubmit={(input) => invite.mutate(input)}
    >
      <TextField label="Email" type="email" autoComplete="off" {...form.field("email")} />
      <RoleField {...form.field("role")} />
    </SideModalForm>
  );
}
