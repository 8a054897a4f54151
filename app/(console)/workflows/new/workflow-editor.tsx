"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useStartRun } from "#app/(console)/runs/use-start-run.ts";
import { StoreWorkflow } from "#app/(console)/workflows/new/store-workflow.tsx";
import type { Earlier } from "#app/(console)/workflows/new/stored-input.ts";
import { useValidation } from "#app/(console)/workflows/new/use-validation.ts";
import { WorkflowIssues } from "#app/(console)/workflows/new/workflow-issues.tsx";
import { drawnWorkflow } from "#app/(console)/workflows/workflow.ts";
import { WorkflowGraph } from "#app/(console)/workflows/workflow-graph.tsx";
import { CodeEditor } from "#components/code/code-editor.tsx";
import type { Language } from "#components/code/code-mirror.ts";
import type { JsonSchema } from "#components/code/json-schema.ts";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { Section } from "#components/ui/section.tsx";
import { useTyped } from "#components/ui/typed.ts";
import { messageOf } from "#server/base/thrown.ts";

const StepTest = inBrowser(() =>
  import("#app/(console)/workflows/new/step-test.tsx").then(({ StepTest }) => StepTest),
);

type Parsed = { value: unknown; fault?: undefined } | { value?: undefined; fault: string };

/** Edits a workflow as text, and shows its faults and a graph of its steps. */
export function WorkflowEditor(initial: {
  workflow: unknown;
  input: unknown;
  /** The stored workflow that gets a new version; null for a new workflow. */
  earlier: Earlier | null;
  /** The id of the run that the editor was opened with; empty without one. */
  from: string;
  mayWrite: boolean;
}) {
  const workflow = useJsonText(initial.workflow);
  const input = useJsonText(initial.input);
  const [drawn, setDrawn] = useState(initial.workflow);
  const { issues, error } = useValidation(workflow.parsed.value);
  const language = useWorkflowLanguage();
  const start = useStartRun();
  const ready = issues?.length === 0 && !input.parsed.fault;

  function execute() {
    if (!ready) return;
    const value = { workflow: workflow.parsed.value, input: input.parsed.value };
    start.mutate({ serviceId: "managed-workflows", operationId: "execute", input: value });
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Field name="workflow" label="Workflow" error={workflow.parsed.fault}>
          {() => (
            <CodeEditor
              label="Workflow"
              language={language}
              value={workflow.text}
              onChange={(text) => {
                const parsed = workflow.edit(text);
                if (!parsed.fault) setDrawn(parsed.value);
              }}
              onRun={execute}
            />
          )}
        </Field>
        <Field name="input" label="Input" error={input.parsed.fault} hint="Expressions read it as input.">
          {(control) => (
            <Textarea
              {...control}
              rows={6}
              spellCheck={false}
              className="font-mono sm:text-13"
              value={input.text}
              onChange={(event) => input.edit(event.target.value)}
            />
          )}
        </Field>
        <ErrorNotice what="The workflow was not executed." error={start.error} />
        {initial.mayWrite && (
          <Button
            variant="primary"
            className="self-start"
            pending={start.isPending || start.isSuccess}
            disabled={!ready}
            onClick={execute}
          >
            Execute
          </Button>
        )}
        {initial.mayWrite && (
          <StoreWorkflow
            workflow={workflow.parsed.value}
            earlier={initial.earlier}
            ready={issues?.length === 0}
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        {!workflow.parsed.fault && <WorkflowIssues text={workflow.text} issues={issues} />}
        <ErrorNotice what="The workflow could not be validated." error={error} />
        <Section title="Steps">
          <WorkflowGraph workflow={drawnWorkflow(drawn)} />
        </Section>
        <StepTest
          workflow={workflow.parsed.value}
          drawn={drawnWorkflow(drawn)}
          from={initial.from}
          ready={issues?.length === 0}
        />
      </div>
    </div>
  );
}

/** Returns JSON with completion by the published schema of workflows, once that has loaded. */
function useWorkflowLanguage(): Language {
  const { data: schema } = useQuery({
    queryKey: ["workflow schema"],
    queryFn: async (): Promise<JsonSchema> => (await fetch("/docs/workflow.schema.json")).json(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => ({ name: "json", ...(schema && { schema }) }), [schema]);
}

/** Holds a JSON value that is edited as text. */
function useJsonText(initial: unknown) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2));
  const [parsed, setParsed] = useState<Parsed>({ value: initial });
  useTyped(text !== JSON.stringify(initial, null, 2));
  return {
    text,
    parsed,
    edit(next: string): Parsed {
      const read = parse(next);
      setText(next);
      setParsed(read);
      return read;
    },
  };
}

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (reason) {
    return { fault: `This is not JSON: ${messageOf(reason)}.` };
  }
}
