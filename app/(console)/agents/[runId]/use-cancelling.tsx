"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";

/** Returns the button that cancels the run, and its confirmation dialog. */
export function useCancelling(runId: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.runs.cancel.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.runs.pathFilter());
        setAsking(false);
      },
    }),
  );
  return {
    button: <Button onClick={() => setAsking(true)}>Stop agent</Button>,
    dialog: (
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Stop the agent?"
        action="Stop agent"
        pending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ runId })}
      >
        <p>It stops at its next step. Its changes until then stay.</p>
      </ConfirmDialog>
    ),
  };
}
