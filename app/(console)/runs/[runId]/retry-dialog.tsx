"use client";

import { useMutation } from "@tanstack/react-query";
import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Asks whether to retry the run from a step, and goes to the new run. */
export function RetryDialog({ run, fromStep, onClose }: { run: Run; fromStep: string; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const retry = useMutation(
    trpc.runs.retry.mutationOptions({ onSuccess: ({ run }) => router.push(routes.runs.read(run.id)) }),
  );
  const kept = doneBefore(run, fromStep);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Retry from here?"
      action="Retry"
      pending={retry.isPending || retry.isSuccess}
      error={retry.error}
      onConfirm={() => retry.mutate({ runId: run.id, fromStep })}
    >
      <p>
        A new run with the same input begins at <code className="break-all font-mono">{fromStep}</code>, in
        your name and at today’s price.{" "}
        {kept === 1
          ? "1 step that was done before is kept and not done again."
          : `${kept} steps that were done before are kept and not done again.`}
      </p>
      <p>This one stays as it is. If a failed step already had effects outside, it has them again.</p>
    </ConfirmDialog>
  );
}

function doneBefore({ timeline }: Run, step: string): number {
  const done = timeline.filter(({ type, data }) => type === "step" && data?.status === "succeeded");
  const at = done.findIndex((entry) => entry.step === step);
  return at < 0 ? done.length : at;
}
