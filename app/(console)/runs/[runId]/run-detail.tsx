"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { RunFacts } from "#app/(console)/runs/[runId]/run-facts.tsx";
import { RunLog } from "#app/(console)/runs/[runId]/run-log.tsx";
import { RunTree } from "#app/(console)/runs/[runId]/run-tree.tsx";
import { StepPanel } from "#app/(console)/runs/[runId]/step-panel.tsx";
import { findStep } from "#app/(console)/runs/[runId]/step-tree.ts";
import { useCancelling } from "#app/(console)/runs/[runId]/use-cancelling.tsx";
import { useForgetting } from "#app/(console)/runs/[runId]/use-forgetting.tsx";
import { useRunTree } from "#app/(console)/runs/[runId]/use-run-tree.tsx";
import { isLive, nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { againPage } from "#app/(console)/workflows/workflow.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useRouter } from "#components/ui/use-router.ts";

const RunArtifacts = inBrowser(() =>
  import("#app/(console)/runs/[runId]/run-artifacts.tsx").then(({ RunArtifacts }) => RunArtifacts),
);
const WrittenText = inBrowser(() =>
  import("#app/(console)/agents/[runId]/written-text.tsx").then(({ WrittenText }) => WrittenText),
);
const RetryDialog = inBrowser(() =>
  import("#app/(console)/runs/[runId]/retry-dialog.tsx").then(({ RetryDialog }) => RetryDialog),
);

/** Shows a run from input to result, followed while it runs: its steps as a tree, and the selected step beside it. */
export function RunDetail({ runId, mayWrite }: { runId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const { run } = useSuspenseQuery(trpc.runs.read.queryOptions({ runId })).data;
  const cancelling = useCancelling(run);
  const forgetting = useForgetting(run);
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const retryFrom = search.get("retry");
  const chosen = search.get("step") ?? run.error?.step ?? "";
  const { steps, opened, open, runOf, reader, hasMore } = useRunTree(run, chosen);
  const step = findStep(steps, chosen);
  const ofStep = step ? runOf(step.inRun) : run;
  const mayRetry = (run: Run) => mayWrite && !isLive(run) && run.input !== null;

  const choose = useCallback((path: string) => {
    const next = new URLSearchParams(window.location.search);
    next.set("step", path);
    window.history.replaceState(null, "", `?${next}`);
  }, []);

  function closeRetry() {
    const next = new URLSearchParams(search);
    next.delete("retry");
    router.replace(`${pathname}?${next}`, { scroll: false });
  }

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.runs.list()}>Runs</TextLink>}
        title={nameOf(run)}
        badge={<Status value={run.status} />}
        action={
          mayWrite && (
            <>
              {isLive(run) && run.status !== "cancelling" && (
                <Button variant="danger" onClick={cancelling.ask}>
                  Cancel run
                </Button>
              )}
              {!isLive(run) && run.forgottenAt === null && (
                <Button onClick={forgetting.ask}>Forget run</Button>
              )}
              {mayRetry(run) && run.error?.step && (
                <ButtonLink href={routes.runs.retry(runId, run.error.step)}>Retry</ButtonLink>
              )}
              {run.forgottenAt === null && <ButtonLink href={againPage(run)}>Run again</ButtonLink>}
            </>
          )
        }
      />
      {run.error && !step?.error && <Failure error={run.error} />}
      {isLive(run) && run.progress !== null && <Progress fraction={run.progress} />}
      <div className="grid min-w-0 grid-cols-1 gap-8 xl:grid-cols-[3fr_2fr] xl:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <RunTree
            steps={steps}
            begin={Date.parse(run.createdAt)}
            end={run.finishedAt === null ? null : Date.parse(run.finishedAt)}
            opened={opened}
            chosen={chosen}
            onChoose={choose}
            onOpen={open}
          />
          {hasMore && (
            <p className="mt-2 text-13 text-muted">
              Its steps started more runs than are shown here.{" "}
              <TextLink href={routes.runs.list({ parentId: runId })}>All of them</TextLink>
            </p>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          {isLive(run) && run.serviceId === "managed-agents" && <WrittenText runId={runId} />}
          {step && <StepPanel key={step.path} run={ofStep} step={step} mayRetry={mayRetry(ofStep)} />}
          <WholeRun run={run} />
        </div>
        <RunLog run={run} />
      </div>
      {reader}
      {cancelling.dialog}
      {forgetting.dialog}
      {mayRetry(run) && retryFrom && <RetryDialog run={run} fromStep={retryFrom} onClose={closeRetry} />}
    </Page>
  );
}

function WholeRun({ run }: { run: Run }) {
  return (
    <>
      <RunFacts run={run} />
      <RunArtifacts key={run.status} run={run} />
      <Section title="Input and result">
        {run.forgottenAt !== null ? (
          <p className="text-13 text-muted">
            Forgotten <RelativeTime at={run.forgottenAt} />: its input and its steps’ answers are deleted.
          </p>
        ) : (
          <CodeBlock label="Input" code={JSON.stringify(run.input, null, 2)} />
        )}
        {run.forgottenAt === null && run.status === "succeeded" && (
          <CodeBlock label="Result" code={JSON.stringify(run.result, null, 2)} />
        )}
      </Section>
    </>
  );
}

function Failure({ error }: { error: NonNullable<Run["error"]> }) {
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
