"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Order } from "#server/trading/schema.ts";

/** True while an order waits for its price, and so can be cancelled. */
export const isOpen = ({ status }: Order) => status === "open" || status === "partially_filled";

/** Cancels an order after a confirmation. */
export function useCancelling() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [cancelling, setCancelling] = useState<Order>();
  const cancel = useMutation(
    trpc.trading.orders.cancel.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.trading.pathFilter());
        setCancelling(undefined);
        toast("The order is cancelled.");
      },
    }),
  );
  return {
    ask: setCancelling,
    dialog: (
      <ConfirmDialog
        open={cancelling !== undefined}
        onOpenChange={(open) => !open && setCancelling(undefined)}
        title="Cancel this order?"
        action="Cancel order"
        dismiss="Keep it"
        danger
        pending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancelling && cancel.mutate({ orderId: cancelling.id })}
      >
        Its reservation is released. Its fills stay.
      </ConfirmDialog>
    ),
  };
}
