"use client";

import { useMutation } from "@tanstack/react-query";
import { EvaluatedStep } from "#app/(console)/workflows/evaluated-step.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";

/** Shows a workflow step's input on request: its fields, evaluated again with the outputs of the steps before it. */
export function StepInput({ runId, path }: { runId: string; path: string }) {
  const trpc = useTRPC();
  const evaluation = useMutation(trpc.runs.steps.test.mutationOptions());
  const evaluated = evaluation.data?.test;
  return (
    <div role="status" className="flex flex-col gap-3">
      {evaluated ? (
        <EvaluatedStep label="Step input" {...evaluated} />
      ) : (
        <Button
          className="self-start"
          pending={evaluation.isPending}
          onClick={() => evaluation.mutate({ runId, step: path })}
        >
          Show input
        </Button>
      )}
      {evaluated?.fields && Object.keys(evaluated.fields).length === 0 && evaluated.decision == null && (
        <p className="text-13 text-muted">This step takes no input.</p>
      )}
      <ErrorNotice what="The input could not be evaluated." error={evaluation.error} />
    </div>
  );
}
