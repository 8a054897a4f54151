"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { toast } from "#components/ui/toast.tsx";
import type { Connection } from "#server/connections/schema.ts";

type ConfirmedAction = { act: "disable" | "delete"; connection: Connection };

/** Returns the actions on a connection: the menu, and their confirmation dialogs. */
export function useConnectionActions({ onDeleted }: { onDeleted?: () => void } = {}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ConfirmedAction | null>(null);
  const refresh = () => queries.invalidateQueries(trpc.connections.pathFilter());
  const enable = useMutation(
    trpc.connections.update.mutationOptions({
      async onSuccess({ connection }) {
        await refresh();
        toast(`${connection.label} can be used again.`);
      },
    }),
  );
  const disable = useMutation(
    trpc.connections.update.mutationOptions({
      async onSuccess({ connection }) {
        await refresh();
        setAsked(null);
        toast(`${connection.label} is disabled.`, { undo: () => makeActive(connection) });
      },
    }),
  );
  const remove = useMutation(
    trpc.connections.delete.mutationOptions({
      async onSuccess({ connection }) {
        setAsked(null);
        toast(`${connection.label} is deleted.`);
        if (onDeleted) onDeleted();
        else await refresh();
      },
    }),
  );
  const makeActive = ({ id }: Connection) => enable.mutate({ connectionId: id, status: "active" });
  const connectionId = asked?.connection.id ?? "";
  const label = asked?.connection.label;

  /** Returns the action that disables an active connection, or enables any other. */
  const switchOf = (connection: Connection): MenuItem & { onSelect: () => void } =>
    connection.status === "active"
      ? { label: "Disable", onSelect: () => setAsked({ act: "disable", connection }) }
      : {
          label: connection.status === "broken" ? "Try again" : "Enable",
          onSelect: () => makeActive(connection),
        };
  const deleteOf = (connection: Connection): MenuItem & { onSelect: () => void } => ({
    label: "Delete",
    danger: true,
    onSelect: () => setAsked({ act: "delete", connection }),
  });

  return {
    switchOf,
    deleteOf,
    pending: enable.isPending,
    error: enable.error,
    menuOf: (connection: Connection): MenuItem[] => [
      { label: "Rotate", href: routes.connections.rotate(connection.id) },
      { label: "Edit", href: routes.connections.edit(connection.id) },
      switchOf(connection),
      deleteOf(connection),
    ],
    dialogs: (
      <>
        <ConfirmDialog
          open={asked?.act === "disable"}
          onOpenChange={() => setAsked(null)}
          title={`Disable “${label}”?`}
          action="Disable"
          pending={disable.isPending}
          error={disable.error}
          onConfirm={() => disable.mutate({ connectionId, status: "disabled" })}
        >
          <p>
            From this moment every use of it fails with 409. The secret stays, and you can enable it again.
          </p>
        </ConfirmDialog>
        <ConfirmDialog
          open={asked?.act === "delete"}
          onOpenChange={() => setAsked(null)}
          title={`Delete “${label}”?`}
          action="Delete"
          typedName={label ?? ""}
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ connectionId })}
        >
          <p>
            Its secret is gone for good, and every use of it fails with 404. The outside system still knows
            the secret: withdraw it there.
          </p>
        </ConfirmDialog>
      </>
    ),
  };
}
