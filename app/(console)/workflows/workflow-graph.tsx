import type { DrawnStep, DrawnWorkflow, StepStates } from "#app/(console)/workflows/workflow.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Badge, Status } from "#components/ui/status.tsx";

/** A workflow's steps as they follow each other; with the states of a run, how far each is. */
export function WorkflowGraph({ workflow, states }: { workflow: DrawnWorkflow; states?: StepStates }) {
  return (
    <Scrolling label={`Steps of ${workflow.name}`} className="min-w-0 rounded-md border bg-sunken p-4">
      <Sequence steps={workflow.steps} states={states} />
    </Scrolling>
  );
}

function Sequence({ steps, states }: { steps: DrawnStep[]; states: StepStates | undefined }) {
  if (steps.length === 0) return <p className="text-13 text-muted">No steps yet.</p>;
  return (
    <ol className="flex flex-col items-stretch">
      {steps.map((step, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: while it is being written, ids are missing or twice there.
        <li key={nth} className="flex flex-col">
          {nth > 0 && <span aria-hidden="true" className="ml-6 h-4 w-px bg-muted" />}
          <Node step={step} states={states} />
        </li>
      ))}
    </ol>
  );
}

function Node({ step, states }: { step: DrawnStep; states: StepStates | undefined }) {
  const { id, type, what, inside } = step;
  const own = states?.get(id);
  // That a map or a branch has begun says nothing of the steps inside it.
  const state = inside.length > 0 && own?.status === "succeeded" ? undefined : own;
  return (
    <div className="min-w-44 rounded-md border bg-canvas">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
        <code className="break-all font-medium font-mono text-13">{id || "?"}</code>
        <Badge>{type || "?"}</Badge>
        {state && <Status value={state.status} />}
        {state && state.done > 1 && <span className="text-12 text-muted">{state.done} times</span>}
        {what && <p className="w-full break-words text-12 text-muted">{what}</p>}
      </div>
      {inside.length > 0 && (
        <div className="flex flex-wrap gap-3 border-t p-3">
          {inside.map(({ title, steps }, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cases have nothing else to tell them apart.
            <div key={nth} className="min-w-44 flex-1">
              <p className="mb-2 break-words text-12 text-muted">{title}</p>
              <Sequence steps={steps} states={states} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
