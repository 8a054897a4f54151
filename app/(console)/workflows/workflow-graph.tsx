import type { DrawnStep, DrawnWorkflow } from "#app/(console)/workflows/workflow.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Badge } from "#components/ui/status.tsx";

/** Draws a workflow's steps in sequence. */
export function WorkflowGraph({ workflow }: { workflow: DrawnWorkflow }) {
  return (
    <Scrolling label={`Steps of ${workflow.name}`} className="min-w-0 rounded-md border bg-sunken p-4">
      <Sequence steps={workflow.steps} />
    </Scrolling>
  );
}

function Sequence({ steps }: { steps: DrawnStep[] }) {
  if (steps.length === 0) return <p className="text-13 text-muted">No steps yet.</p>;
  return (
    <ol className="flex flex-col items-stretch">
      {steps.map((step, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: while it is being written, ids are missing or twice there.
        <li key={nth} className="flex flex-col">
          {nth > 0 && <span aria-hidden="true" className="ml-6 h-4 w-px bg-muted" />}
          <Node step={step} />
        </li>
      ))}
    </ol>
  );
}

function Node({ step }: { step: DrawnStep }) {
  const { id, type, what, inside } = step;
  return (
    <div className="min-w-44 rounded-md border bg-canvas">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
        <code className="break-all font-medium font-mono text-13">{id || "?"}</code>
        <Badge>{type || "?"}</Badge>
        {what && <p className="w-full break-words text-12 text-muted">{what}</p>}
      </div>
      {inside.length > 0 && (
        <div className="flex flex-wrap gap-3 border-t p-3">
          {inside.map(({ title, steps }, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cases have nothing else to tell them apart.
            <div key={nth} className="min-w-44 flex-1">
              <p className="mb-2 break-words text-12 text-muted">{title}</p>
              <Sequence steps={steps} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
