"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { RetryDialog } from "#app/(console)/runs/[runId]/retry-dialog.tsx";
import { RunArtifacts } from "#app/(console)/runs/[runId]/run-artifacts.tsx";
import { RunFacts } from "#app/(console)/runs/[runId]/run-facts.tsx";
import { RunTimeline } from "#app/(console)/runs/[runId]/run-timeline.tsx";
import { useCancelling } from "#app/(console)/runs/[runId]/use-cancelling.tsx";
import { isLive } from "#app/(console)/runs/queries.ts";
import { stepStates, workflowIn } from "#app/(console)/workflows/workflow.ts";
import { WorkflowGraph } from "#app/(console)/workflows/workflow-graph.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";

/** A run from its input to its end, followed as it happens. */
export function RunDetail({ runId, mayWrite }: { runId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const { run } = useSuspenseQuery(trpc.runs.read.queryOptions({ runId })).data;
  const cancelling = useCancelling(run);
  const router = useRouter();
  const retryFrom = useSearchParams().get("retry");
  const mayRetry = mayWrite && !isLive(run) && run.input !== null;
  const workflow = workflowIn(run);
  const again = workflow ? routes.workflows.create({ from: runId }) : routes.runs.create({ from: runId });

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.runs.list()}>Runs</TextLink>}
        title={workflow ? workflow.name : `${run.serviceId} ${run.operationId}`}
        badge={<Status value={run.status} />}
        action={
          mayWrite && (
            <>
              {isLive(run) && run.status !== "cancelling" && (
                <Button variant="danger" onClick={cancelling.ask}>
                  Cancel run
                </Button>
              )}
              {mayRetry && run.error?.step && (
                <ButtonLink href={routes.runs.retry(runId, run.error.step)}>Retry</ButtonLink>
              )}
              <ButtonLink href={again}>Run again</ButtonLink>
            </>
          )
        }
      />
      {run.error && <Failure error={run.error} />}
      {isLive(run) && run.progress !== null && <Progress fraction={run.progress} />}
      <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-8">
          <RunTimeline run={run} mayRetry={mayRetry} />
          {workflow && (
            <Section title="Steps">
              <WorkflowGraph workflow={workflow} states={stepStates(run.timeline)} />
            </Section>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <RunFacts run={run} />
          <RunArtifacts key={run.status} run={run} />
          <Section title="Input and result">
            <CodeBlock label="Input" code={JSON.stringify(run.input, null, 2)} />
            {run.status === "succeeded" && (
              <CodeBlock label="Result" code={JSON.stringify(run.result, null, 2)} />
            )}
          </Section>
        </div>
      </div>
      {cancelling.dialog}
      {mayRetry && retryFrom && (
        <RetryDialog
          run={run}
          fromStep={retryFrom}
          onClose={() => router.replace(routes.runs.read(runId), { scroll: false })}
        />
      )}
    </Page>
  );
}

function Failure({ error }: { error: { code: string; message: string; step: string | null } }) {
  return (
    <div className="rounded-md border border-line bg-bad-soft p-3 text-13">
      <p className="break-words font-medium text-bad">
        {error.code}
        {error.step && ` in ${error.step}`}
      </p>
      <p className="break-words">{error.message}</p>
    </div>
  );
}

function Progress({ fraction }: { fraction: number }) {
  const percent = Math.round(fraction * 100);
  return (
    <div
      role="progressbar"
      aria-label="Progress"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        className="size-full text-accent"
      >
        <rect width={percent} height="1" fill="currentColor" />
      </svg>
    </div>
  );
}
