"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Stored } from "#app/(console)/workflows/stored/queries.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Archives a stored workflow after a confirmation, or restores it without one. */
export function Archiving({ workflow: { name, status } }: { workflow: Stored }) {
  const [asking, setAsking] = useState(false);
  const restore = useChange("restore", name, () => toast(`${name} is active again.`));
  const archive = useChange("archive", name, () => {
    setAsking(false);
    toast(`${name} is archived.`, { undo: () => restore.mutate() });
  });
  if (status === "archived")
    return (
      <>
        <ErrorNotice what="The workflow was not restored." error={restore.error} />
        <Button pending={restore.isPending} onClick={() => restore.mutate()}>
          Restore
        </Button>
      </>
    );
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Archive
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Archive “${name}”?`}
        action="Archive"
        pending={archive.isPending}
        error={archive.error}
        onConfirm={() => archive.mutate()}
      >
        <p>It stays readable, and its runs go on. It is neither started nor changed until you restore it.</p>
      </ConfirmDialog>
    </>
  );
}

function useChange(operationId: "archive" | "restore", name: string, done: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      client.services.invoke.mutate({ serviceId: "managed-workflows", operationId, input: { name } }),
    async onSuccess() {
      await queries.invalidateQueries(trpc.workflows.pathFilter());
      done();
    },
  });
}
