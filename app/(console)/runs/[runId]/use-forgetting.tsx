"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { sizeText } from "#components/ui/size.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Forgets an ended run after a confirmation. */
export function useForgetting(run: Run) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const forget = useMutation(
    trpc.runs.forget.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.runs.pathFilter());
        setAsking(false);
        toast("The run is forgotten.");
      },
    }),
  );
  return {
    ask: () => setAsking(true),
    dialog: (
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Forget ${nameOf(run)}?`}
        action="Forget run"
        dismiss="Keep it"
        pending={forget.isPending}
        error={forget.error}
        onConfirm={() => forget.mutate({ runId: run.id })}
      >
        <p>
          Its input, its result, its steps’ outputs and its log are deleted for good, and it can’t be retried.
          The run stays with its status and charge, and its artifacts until they expire.
        </p>
        {run.keptBytes !== null && <p>{`${sizeText(run.keptBytes)} of the storage for runs become free.`}</p>}
      </ConfirmDialog>
    ),
  };
}
