"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isByEvents, type Trigger } from "#app/(console)/triggers/queries.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { toast } from "#components/ui/toast.tsx";

type Verb = "pause" | "resume" | "fire" | "replay" | "rotate_address" | "delete";

const done: Record<Verb, (name: string) => string> = {
  pause: (name) => `${name} is paused.`,
  resume: (name) => `${name} goes on from now.`,
  fire: (name) => `${name} starts a run.`,
  replay: (name) => `${name} tries again the times and events that started no run.`,
  rotate_address: (name) => `${name} has a new address.`,
  delete: (name) => `${name} is deleted.`,
};

/** True if a paused trigger can be resumed by hand. */
export const mayResume = ({ pausedReason }: Trigger) =>
  pausedReason === "manual" || pausedReason === "failing";

/** Returns the immediate actions on a trigger, and the confirmation dialog of the one that needs it. */
export function useSwitching(onDeleted: () => void = () => undefined) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<{ verb: "rotate_address" | "delete"; trigger: Trigger } | null>(null);
  const change = useMutation({
    mutationFn: ({ verb, name }: { verb: Verb; name: string }) =>
      client.services.invoke.mutate({ serviceId: "managed-triggers", operationId: verb, input: { name } }),
    async onSuccess(_, { verb, name }) {
      setAsking(null);
      if (verb === "delete") onDeleted();
      await queries.invalidateQueries(trpc.triggers.pathFilter());
      toast(done[verb](name));
    },
  });
  const isOwn = useIsOwn();
  const act = (verb: Verb, { name }: Trigger) => change.mutate({ verb, name });

  return {
    error: asking ? null : change.error,
    replay: (trigger: Trigger) => act("replay", trigger),
    rotate: (trigger: Trigger) => setAsking({ verb: "rotate_address", trigger }),
    /** A person acts for the account or the chosen project; triggers of end users are changed with their keys. */
    actionsOf(trigger: Trigger): (MenuItem & { onSelect: () => void })[] {
      if (!isOwn(trigger)) return [];
      const { status, pausedReason } = trigger;
      return [
        ...(pausedReason === "owner_ended" || isByEvents(trigger)
          ? []
          : [{ label: "Start now", onSelect: () => act("fire", trigger) }]),
        ...(status === "active" ? [{ label: "Pause", onSelect: () => act("pause", trigger) }] : []),
        ...(mayResume(trigger) ? [{ label: "Resume", onSelect: () => act("resume", trigger) }] : []),
        { label: "Delete", danger: true, onSelect: () => setAsking({ verb: "delete", trigger }) },
      ];
    },
    dialog: (
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={() => setAsking(null)}
        title={
          asking?.verb === "rotate_address"
            ? `Rotate the address of “${asking.trigger.name}”?`
            : `Delete “${asking?.trigger.name}”?`
        }
        action={asking?.verb === "rotate_address" ? "Rotate" : "Delete"}
        pending={change.isPending}
        error={change.error}
        onConfirm={() => asking && act(asking.verb, asking.trigger)}
      >
        {asking?.verb === "rotate_address" ? (
          <p>
            It gets a new address. Deliveries are taken at the one that it has for 24 hours more: have the
            provider deliver to the new one until then. An address that it had before ends now.
          </p>
        ) : (
          <p>Nothing more is started by it. The runs that it has started stay, and those under way go on.</p>
        )}
      </ConfirmDialog>
    ),
  };
}

/** Returns a test whether a trigger belongs to the chosen project or, without one, to the account itself. */
export function useIsOwn() {
  const chosen = useChosenProject();
  return ({ projectId, endUser }: Trigger) => projectId === chosen && endUser === null;
}
