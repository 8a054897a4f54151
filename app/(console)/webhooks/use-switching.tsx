"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { toast } from "#components/ui/toast.tsx";
import type { Webhook } from "#server/webhooks/schema.ts";

const now = { active: "The webhook is active.", paused: "The webhook is paused.", disabled: "" };

/** Returns the actions that pause, resume or, after a confirmation, disable a webhook, and the dialog. */
export function useSwitching() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [disabling, setDisabling] = useState<Webhook | null>(null);
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries(trpc.webhooks.pathFilter()),
      queries.invalidateQueries(trpc.webhookDeliveries.pathFilter()),
    ]);
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      async onSuccess({ webhook }) {
        await refresh();
        toast(now[webhook.status]);
      },
    }),
  );
  const disable = useMutation(
    trpc.webhooks.disable.mutationOptions({
      async onSuccess() {
        await refresh();
        setDisabling(null);
        toast("The webhook is disabled.");
      },
    }),
  );
  const switchTo = (webhook: Webhook, status: "active" | "paused") =>
    update.mutate({ webhookId: webhook.id, status });

  return {
    error: update.error,
    actionsOf: (webhook: Webhook): (MenuItem & { onSelect: () => void })[] => [
      webhook.status === "active"
        ? { label: "Pause", onSelect: () => switchTo(webhook, "paused") }
        : { label: "Resume", onSelect: () => switchTo(webhook, "active") },
      ...(webhook.status === "disabled"
        ? []
        : [{ label: "Disable", danger: true, onSelect: () => setDisabling(webhook) }]),
    ],
    dialog: (
      <ConfirmDialog
        open={disabling !== null}
        onOpenChange={() => setDisabling(null)}
        title="Disable this webhook?"
        action="Disable"
        pending={disable.isPending}
        error={disable.error}
        onConfirm={() => disabling && disable.mutate({ webhookId: disabling.id })}
      >
        <p>
          Nothing more is sent to <span className="break-all font-mono">{disabling?.url}</span>. Deliveries
          that wait are abandoned. It leaves the list of those in use; with the status Disabled, it is listed,
          and you can resume it and recover missed events.
        </p>
      </ConfirmDialog>
    ),
  };
}
