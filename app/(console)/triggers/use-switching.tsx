"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Trigger } from "#app/(console)/triggers/queries.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { MenuItem } from "#components/ui/menu.tsx";
import { toast } from "#components/ui/toast.tsx";

type Verb = "pause" | "resume" | "fire" | "delete";

const done: Record<Verb, (name: string) => string> = {
  pause: (name) => `${name} is paused.`,
  resume: (name) => `${name} goes on from now.`,
  fire: (name) => `${name} starts a run.`,
  delete: (name) => `${name} is deleted.`,
};

/** What can be done with a trigger at once: the actions to offer, and the dialog of the one that asks first. */
export function useSwitching(onDeleted: () => void = () => undefined) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState<Trigger | null>(null);
  const change = useMutation({
    mutationFn: ({ verb, name }: { verb: Verb; name: string }) =>
      client.services.invoke.mutate({ serviceId: "managed-triggers", operationId: verb, input: { name } }),
    async onSuccess(_, { verb, name }) {
      setDeleting(null);
      if (verb === "delete") onDeleted();
      await queries.invalidateQueries(trpc.triggers.pathFilter());
      toast(done[verb](name));
    },
  });
  const act = (verb: Verb, { name }: Trigger) => change.mutate({ verb, name });

  return {
    error: deleting ? null : change.error,
    /** A person acts for the whole account; those of projects and end users are changed by their keys. */
    actionsOf(trigger: Trigger): (MenuItem & { onSelect: () => void })[] {
      if (!isAccounts(trigger)) return [];
      const { status, pausedReason } = trigger;
      return [
        ...(pausedReason === "owner_ended"
          ? []
          : [{ label: "Start now", onSelect: () => act("fire", trigger) }]),
        ...(status === "active" ? [{ label: "Pause", onSelect: () => act("pause", trigger) }] : []),
        ...(pausedReason === "manual" || pausedReason === "failing"
          ? [{ label: "Resume", onSelect: () => act("resume", trigger) }]
          : []),
        { label: "Delete", danger: true, onSelect: () => setDeleting(trigger) },
      ];
    },
    dialog: (
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title={`Delete “${deleting?.name}”?`}
        action="Delete"
        pending={change.isPending}
        error={change.error}
        onConfirm={() => deleting && act("delete", deleting)}
      >
        <p>Nothing more is started by it. The runs that it has started stay, and those under way go on.</p>
      </ConfirmDialog>
    ),
  };
}

/** Whether it belongs to the account itself, for which a person acts. */
export const isAccounts = ({ projectId, endUser }: Trigger) => projectId === null && endUser === null;
