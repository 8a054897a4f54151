import { CodeBlock } from "#components/ui/code-block.tsx";

interface EvaluatedStepProps {
  /** The caption of `fields`. */
  label: string;
  fields: Record<string, unknown> | null;
  decision?: unknown;
  issues: { path: string; message: string }[];
}

/** Shows a step's fields with the values of their expressions, its decision, and the expression that failed. */
export function EvaluatedStep({ label, fields, decision, issues }: EvaluatedStepProps) {
  return (
    <>
      {fields && Object.keys(fields).length > 0 && (
        <CodeBlock label={label} code={JSON.stringify(fields, null, 2)} />
      )}
      {decision != null && <CodeBlock label="Decision" code={JSON.stringify(decision)} />}
      {issues.map(({ path, message }) => (
        <div key={path} className="rounded-md border px-3 py-2 text-13">
          <code className="break-all font-mono text-muted">{path}</code>
          <p className="break-words text-bad">{message}</p>
        </div>
      ))}
    </>
  );
}
