"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "#app/(console)/runs/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Cancels a run after a confirmation. */
export function useCancelling(run: Run) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.runs.cancel.mutationOptions({
      async onSuccess({ run }) {
        await queries.invalidateQueries(trpc.runs.pathFilter());
        setAsking(false);
        toast(run.status === "cancelled" ? "The run is cancelled." : "The run is being cancelled.");
      },
    }),
  );
  const done = run.timeline.filter(
    ({ type, data }) => type === "step" && data?.status === "succeeded",
  ).length;
  return {
    ask: () => setAsking(true),
    dialog: (
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel ${run.serviceId} ${run.operationId}?`}
        action="Cancel run"
        dismiss="Keep running"
        pending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ runId: run.id })}
      >
        <p>It stops at its next step. Its work so far stays done and charged, and its timeline lists it.</p>
        <p>{done === 1 ? "1 step is done." : `${done} steps are done.`}</p>
      </ConfirmDialog>
    ),
  };
}
