"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { roleName } from "#app/(console)/members/queries.ts";
import { RoleField } from "#app/(console)/members/role-field.tsx";
import { withKeys } from "#app/(console)/members/use-removing.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";
import type { UpdateMember } from "#server/members/schema.ts";

/** Gives a member another role. */
export function ChangeRole({ memberId }: { memberId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const close = useCloseTo(routes.members.list());
  const { member } = useSuspenseQuery(trpc.members.read.queryOptions({ memberId })).data;
  const update = useMutation(
    trpc.members.update.mutationOptions({
      async onSuccess({ member, revokedKeyIds }) {
        await Promise.all([
          queries.invalidateQueries(trpc.members.pathFilter()),
          queries.invalidateQueries(trpc.invitations.pathFilter()),
        ]);
        toast(
          `${member.name} is ${roleName(member.role).toLowerCase()} now${withKeys(revokedKeyIds.length)}.`,
        );
        close();
      },
    }),
  );
  const form = useForm<{ role: string }, z.output<typeof UpdateMember>>({
    schema: () => import("#server/members/schema.ts").then(({ UpdateMember }) => UpdateMember),
    initial: { role: member.role },
  });
  return (
    <SideModalForm
      title="Change role"
      description={`${member.name}, ${member.email}`}
      parent={routes.members.list()}
      submitLabel="Change role"
      form={form}
      pending={update.isPending}
      error={update.error}
      failed="The role was not changed."
      onSubmit={(input) => update.mutate({ memberId, ...input })}
    >
      <RoleField {...form.field("role")} />
      <p className="text-13 text-muted">
        It applies from this member’s next request on. Keys that this member made and that may do more than
        the new role are revoked, with everything below them. Invitations that a former owner sent and nobody
        has accepted end too.
      </p>
    </SideModalForm>
  );
}
