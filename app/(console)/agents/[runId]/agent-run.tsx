"use client";

import { useQuery } from "@tanstack/react-query";
import { AgentFacts } from "#app/(console)/agents/[runId]/agent-facts.tsx";
import { AgentSteps } from "#app/(console)/agents/[runId]/agent-steps.tsx";
import { RunTimeline } from "#app/(console)/agents/[runId]/run-timeline.tsx";
import { useCancelling } from "#app/(console)/agents/[runId]/use-cancelling.tsx";
import { WrittenText } from "#app/(console)/agents/[runId]/written-text.tsx";
import { hasEnded, type ShownRun, taskOf } from "#app/(console)/agents/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Card, Section } from "#components/ui/section.tsx";
import { PageSkeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";

/** Shows an agent's run: its outcome, its steps and its open approvals; followed while it runs. */
export function AgentRun({ runId, mayCancel }: { runId: string; mayCancel: boolean }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.runs.read.queryOptions({ runId }));
  const run = data?.run;
  const cancelling = useCancelling(runId);
  if (!run && !error) return <PageSkeleton />;
  return (
    <Page>
      <PageHeader
        title="Agent"
        badge={run && <Status value={run.status} />}
        back={<TextLink href={routes.agents.list()}>Agents</TextLink>}
        action={run && mayCancel && !hasEnded(run) && cancelling.button}
      />
      <ErrorNotice what="The run could not be loaded." error={error} />
      {run && (
        <>
          <div role="status" className="contents">
            <Outcome run={run} />
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-6">
              <Section title="Task">
                <Card className="whitespace-pre-wrap break-words">{taskOf(run) ?? "It is not kept."}</Card>
              </Section>
              {!hasEnded(run) && <WrittenText runId={runId} />}
              <AgentSteps run={run} />
            </div>
            <AgentFacts run={run} />
          </div>
          <RunTimeline run={run} />
        </>
      )}
      {cancelling.dialog}
    </Page>
  );
}

/** Shows the answer, the failure, or whom the agent waits for. */
function Outcome({ run }: { run: ShownRun }) {
  const { status, error, result, timeline } = run;
  if (status === "awaiting_approval") {
    const approvalId = timeline.findLast(({ data }) => data?.approvalId)?.data?.approvalId;
    return (
      <Section title="It waits for you" description="It continues as soon as somebody has decided.">
        <p>
          <TextLink href={routes.approvals.read(String(approvalId))}>Review the requested action</TextLink>
        </p>
      </Section>
    );
  }
  if (error)
    return (
      <Section title="It did not finish">
        <Card className="break-words">
          {error.message} <span className="font-mono text-13 text-muted">{error.code}</span>
        </Card>
      </Section>
    );
  const { output } = (result ?? {}) as { output?: string };
  if (output === undefined) return null;
  return (
    <Section title="Answer">
      <Card className="whitespace-pre-wrap break-words">{output || "It ended without words."}</Card>
    </Section>
  );
}
