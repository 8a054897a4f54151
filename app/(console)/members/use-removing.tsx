"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { roleName } from "#app/(console)/members/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Member } from "#server/members/schema.ts";

/** Returns the end of a sentence that says how many keys stopped. */
export function withKeys(count: number): string {
  if (count === 0) return "";
  return count === 1 ? ", and one key is revoked" : `, and ${count} keys are revoked`;
}

/** Returns `ask(member)`, which opens a dialog to remove the member, and that dialog. */
export function useRemoving() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [member, setMember] = useState<Member | null>(null);
  const remove = useMutation(
    trpc.members.delete.mutationOptions({
      async onSuccess({ member, revokedKeyIds }) {
        await Promise.all([
          queries.invalidateQueries(trpc.members.pathFilter()),
          queries.invalidateQueries(trpc.invitations.pathFilter()),
        ]);
        setMember(null);
        toast(`${member.name} is removed${withKeys(revokedKeyIds.length)}.`);
      },
    }),
  );
  return {
    ask: setMember,
    dialog: (
      <ConfirmDialog
        open={member !== null}
        onOpenChange={() => setMember(null)}
        title={`Remove ${member?.name}?`}
        action="Remove"
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => member && remove.mutate({ memberId: member.id })}
      >
        {member && (
          <>
            <p className="break-words">
              {member.email}, {roleName(member.role).toLowerCase()} since{" "}
              {new Date(member.createdAt).toLocaleDateString(undefined, { dateStyle: "long" })}, can do
              nothing here from this moment.
            </p>
            <p>
              Every key that this member made is revoked with everything below it: what runs on those keys
              answers 401. Invitations that this member sent and nobody has accepted end too.
            </p>
          </>
        )}
      </ConfirmDialog>
    ),
  };
}
