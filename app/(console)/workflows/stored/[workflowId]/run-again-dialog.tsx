"use client";

import { useMutation } from "@tanstack/react-query";
import type { Run } from "#app/(console)/runs/queries.ts";
import type { Stored } from "#app/(console)/workflows/stored/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Asks whether to run it again with the newest version, and goes to the new run. */
export function RunAgainDialog({
  workflow: { name, version },
  run,
  onClose,
}: {
  workflow: Stored;
  run: Run;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const retry = useMutation(
    trpc.runs.retry.mutationOptions({ onSuccess: ({ run }) => router.push(routes.runs.read(run.id)) }),
  );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Run again with version ${version}?`}
      action="Run again"
      pending={retry.isPending || retry.isSuccess}
      error={retry.error}
      onConfirm={() => retry.mutate({ runId: run.id, workflowVersion: version })}
    >
      <p>
        A new run does all steps of version {version} of <code className="font-mono">{name}</code> with the
        input of this one, in your name and at today’s price.
      </p>
      <p>This one, of version {run.workflow?.version}, stays as it is.</p>
    </ConfirmDialog>
  );
}
