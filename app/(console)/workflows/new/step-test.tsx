"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { nameOf, type Run, statuses } from "#app/(console)/runs/queries.ts";
import { EvaluatedStep } from "#app/(console)/workflows/evaluated-step.tsx";
import type { DrawnStep, DrawnWorkflow } from "#app/(console)/workflows/workflow.ts";
import { Field } from "#components/form/field.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Select, withChosen } from "#components/ui/select.tsx";
import { exactTime } from "#components/ui/time-words.ts";

/** The runs that steps can be tested on. */
const NEWEST = { serviceId: "managed-workflows", timeline: "exclude" as const, limit: 50 };

/** Evaluates a step as edited on the input and earlier outputs of a run. */
export function StepTest({
  workflow,
  drawn,
  from,
  ready,
}: {
  workflow: unknown;
  drawn: DrawnWorkflow;
  /** The run that the editor was opened with, if any. */
  from: string;
  /** True if the workflow is valid. */
  ready: boolean;
}) {
  const trpc = useTRPC();
  const [chosen, choose] = useState({ runId: from, step: "" });
  const runs = useQuery(trpc.runs.list.queryOptions(NEWEST));
  const test = useMutation(trpc.runs.steps.test.mutationOptions());
  const earlier = (runs.data?.runs ?? []).filter(
    ({ operationId }) => operationId === "execute" || operationId === "start",
  );
  const usual = earlier.find((run) => nameOf(run) === drawn.name) ?? earlier[0];
  const runId = chosen.runId || (usual?.id ?? "");
  const ids = stepIdsOf(drawn.steps);
  const step = ids.includes(chosen.step) ? chosen.step : (ids[0] ?? "");
  const isStale = test.variables?.workflow !== workflow;

  return (
    <Section
      title="Test a step"
      description="Evaluates its expressions on an earlier run’s input and outputs. Nothing is called, sent or charged."
    >
      {runs.data && earlier.length === 0 && runId === "" ? (
        <p className="text-13 text-muted">
          No workflow has run yet. Execute this one, and its steps can be tested on that run’s data.
        </p>
      ) : (
        <form
          className="grid grid-cols-1 items-end gap-3 sm:grid-cols-[1fr_2fr_auto]"
          onSubmit={(event) => {
            event.preventDefault();
            test.mutate({ runId, step, workflow });
          }}
        >
          <Field name="step" label="Step" error={undefined}>
            {(control) => (
              <Select
                {...control}
                options={ids.map((id) => ({ value: id, label: id }))}
                value={step}
                onChange={(step) => choose({ ...chosen, step })}
              />
            )}
          </Field>
          <Field name="runId" label="Earlier run" error={undefined}>
            {(control) => (
              <Select
                {...control}
                options={withChosen(earlier.map(optionOf), runId)}
                value={runId}
                onChange={(runId) => choose({ ...chosen, runId })}
              />
            )}
          </Field>
          <Button type="submit" pending={test.isPending} disabled={!ready || runId === "" || step === ""}>
            Test
          </Button>
        </form>
      )}
      <ErrorNotice what="The earlier runs could not be loaded." error={runs.error} />
      <ErrorNotice what="The step was not tested." error={test.error} />
      <div role="status" className="flex flex-col gap-3">
        {test.data && <TestedStep {...test.data.test} isStale={isStale} />}
      </div>
    </Section>
  );
}

function TestedStep({
  step,
  type,
  isStale,
  ...evaluated
}: Omit<ComponentProps<typeof EvaluatedStep>, "label"> & { step: string; type: string; isStale: boolean }) {
  return (
    <>
      <p className="break-words text-13 text-muted">
        <code className="break-all font-mono text-ink">{step}</code>, {type}
        {isStale && ". The workflow has changed since."}
      </p>
      <EvaluatedStep label="Fields" {...evaluated} />
    </>
  );
}

/** Returns the ids of the steps, in order. */
function stepIdsOf(steps: DrawnStep[]): string[] {
  return steps.flatMap(({ id, inside }) => [
    ...(id ? [id] : []),
    ...inside.flatMap(({ steps }) => stepIdsOf(steps)),
  ]);
}

type Earlier = Pick<Run, "id" | "name" | "serviceId" | "operationId" | "status" | "createdAt">;

/** Returns the option of a run. */
const optionOf = (run: Earlier) => ({
  value: run.id,
  label: `${nameOf(run)}, ${exactTime(run.createdAt)}, ${labelOf(run.status)}`,
});

const labelOf = (status: Run["status"]) =>
  statuses.find(({ value }) => value === status)?.label.toLowerCase() ?? status;
