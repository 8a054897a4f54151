import { lineOf } from "#app/(console)/workflows/new/line-of.ts";
import type { Issue } from "#app/(console)/workflows/new/use-validation.ts";
import { Section } from "#components/ui/section.tsx";

/** Lists the workflow's faults with their lines; `issues` is null while it is being validated. */
export function WorkflowIssues({ text, issues }: { text: string; issues: Issue[] | null }) {
  return (
    <Section title="Validation">
      <div role="status" className="flex flex-col gap-2 text-13">
        {issues === null && <p className="text-muted">Validating…</p>}
        {issues?.length === 0 && <p className="text-ok">Nothing is wrong with it.</p>}
        {issues && issues.length > 0 && (
          <ul className="flex flex-col divide-y rounded-md border">
            {issues.map(({ path, message }) => (
              <li key={`${path} ${message}`} className="px-3 py-2">
                <p className="text-muted">
                  Line {lineOf(text, path) ?? 1}
                  {path && (
                    <>
                      , <code className="break-all font-mono">{path}</code>
                    </>
                  )}
                </p>
                <p className="break-words text-bad">{message}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
