import { ToolCall } from "#app/(console)/agents/[runId]/tool-call.tsx";
import { modelCallsOf } from "#app/(console)/agents/[runId]/tool-steps.ts";
import type { ShownRun } from "#app/(console)/agents/queries.ts";
import { inDigits } from "#components/ui/digits.ts";
import { Card, Section } from "#components/ui/section.tsx";

/**
 * Shows the agent's messages and tool calls, model call by model call. A run without a result, because it has not ended
 * well or its tier has purged it, shows the calls that its timeline names.
 */
export function AgentSteps({ run }: { run: ShownRun }) {
  const calls = modelCallsOf(run);
  if (calls.length === 0) return null;
  return (
    <Section title="Steps">
      <ol className="flex flex-col gap-3">
        {calls.map(({ nth, step, tools }) => (
          // The same elements before and after the run has ended, so that what a person has opened stays open.
          <li key={nth}>
            <Card className="flex flex-col gap-2">
              <span className="text-13 text-muted">
                Model call {nth}
                {step && `, ${inDigits(step.usage.inputTokens + step.usage.outputTokens)} tokens`}
              </span>
              {step?.text && <p className="whitespace-pre-wrap break-words">{step.text}</p>}
              {tools.map((tool) => (
                <ToolCall key={tool.place} run={run} tool={tool} use={step?.toolCalls[tool.place]} />
              ))}
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}
