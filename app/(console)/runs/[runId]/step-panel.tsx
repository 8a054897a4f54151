"use client";

import { useQuery } from "@tanstack/react-query";
import { LogEntries, SHOWN } from "#app/(console)/runs/[runId]/run-log.tsx";
import type { StepNode } from "#app/(console)/runs/[runId]/step-tree.ts";
import { useWorkflow } from "#app/(console)/runs/[runId]/use-workflow.ts";
import { durationText } from "#app/(console)/runs/columns.tsx";
import { isLive, type Run } from "#app/(console)/runs/queries.ts";
import { stepIn } from "#app/(console)/workflows/workflow.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";

const StepInput = inBrowser(() =>
  import("#app/(console)/runs/[runId]/step-input.tsx").then(({ StepInput }) => StepInput),
);

/** Shows a step's input, output and cost, and the actions on it. */
export function StepPanel({ run, step, mayRetry }: { run: Run; step: StepNode; mayRetry: boolean }) {
  const trpc = useTRPC();
  const isOwnStep = step.runId === null;
  const read = useQuery({
    ...trpc.runs.steps.read.queryOptions({ runId: run.id, name: step.name }),
    enabled: isOwnStep && step.status === "succeeded",
    staleTime: isLive(run) ? 0 : Number.POSITIVE_INFINITY,
  });
  const output = read.data?.step?.output;
  const workflow = useWorkflow(run);
  const definition = isOwnStep ? stepIn(workflow, step.name) : null;
  const entries = isOwnStep ? run.timeline.filter((entry) => entry.step === step.name).slice(-SHOWN) : [];
  const wait = step.spans.reduce(
    (sum, { kind, from, to }) => (kind === "work" ? sum : sum + (to ?? from) - from),
    0,
  );
  return (
    <Section
      title={step.label}
      action={
        mayRetry &&
        isOwnStep && <ButtonLink href={routes.runs.retry(run.id, step.name)}>Retry from here</ButtonLink>
      }
    >
      {step.error && (
        <div className="rounded-md border border-line bg-bad-soft p-3 text-13">
          <p className="break-words font-medium text-bad">{step.error.code}</p>
          <p className="break-words">{step.error.message}</p>
        </div>
      )}
      <Facts
        items={[
          { name: "Status", value: <Status value={step.status} /> },
          {
            name: isOwnStep ? "Step" : "Run",
            value: isOwnStep ? (
              <Copyable value={step.name} full />
            ) : (
              <TextLink href={routes.runs.read(step.name)}>{step.name}</TextLink>
            ),
          },
          {
            name: "Began",
            value: `${durationText(step.from - Date.parse(run.createdAt))} after the run was created`,
          },
          {
            name: "Took",
            value: step.to === null ? "Still running" : durationText(step.to - step.from),
          },
          ...(wait > 0 ? [{ name: "Waited", value: durationText(wait) }] : []),
          ...(step.attempts > 1 ? [{ name: "Attempts", value: String(step.attempts) }] : []),
          ...(step.credits > 0 ? [{ name: "Charged", value: <Credits value={step.credits} /> }] : []),
          ...(step.requestId
            ? [
                {
                  name: "Request",
                  value: (
                    <TextLink href={routes.audit({ requestId: step.requestId })}>Open its call</TextLink>
                  ),
                },
              ]
            : []),
          ...(step.approvalId
            ? [
                {
                  name: "Approval",
                  value: <TextLink href={routes.approvals.read(step.approvalId)}>Open the approval</TextLink>,
                },
              ]
            : []),
        ]}
      />
      <ErrorNotice what="The output could not be loaded." error={read.error} />
      {definition !== null && (
        <>
          <CodeBlock label="Definition" code={JSON.stringify(definition, null, 2)} />
          {run.forgottenAt === null && <StepInput runId={run.id} path={step.name} />}
        </>
      )}
      {read.data?.step && <CodeBlock label="Output" code={JSON.stringify(output ?? null, null, 2)} />}
      {entries.length > 0 && (
        <LogEntries
          label="Log of the step"
          run={run}
          entries={entries}
          wordsOf={({ type, message }) =>
            type === "step" && message === step.error?.message ? "The step has failed." : message
          }
        />
      )}
    </Section>
  );
}
