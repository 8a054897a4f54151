import { ToolCall } from "#app/(console)/agents/[runId]/tool-call.tsx";
import { toolStepOf, toolStepsIn } from "#app/(console)/agents/[runId]/tool-steps.ts";
import type { ShownRun } from "#app/(console)/agents/queries.ts";
import { inDigits } from "#components/ui/digits.ts";
import { Card, Section } from "#components/ui/section.tsx";
import type { AgentResponse } from "#server/agents/schema.ts";

/**
 * Shows the agent's messages and tool calls, model call by model call. A run without a result, because it has not ended
 * well or its tier has purged it, shows the calls that its timeline names.
 */
export function AgentSteps({ run }: { run: ShownRun }) {
  const { steps = [] } = (run.result ?? {}) as Partial<AgentResponse>;
  if (steps.length === 0) return <NamedCalls run={run} />;
  return (
    <Section title="Steps">
      <ol className="flex flex-col gap-3">
        {steps.map(({ text, toolCalls, usage }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a finished run's steps have no id but their place.
          <li key={nth}>
            <Card className="flex flex-col gap-2">
              <span className="text-13 text-muted">
                Model call {nth + 1}, {inDigits(usage.inputTokens + usage.outputTokens)} tokens
              </span>
              {text && <p className="whitespace-pre-wrap break-words">{text}</p>}
              {toolCalls.map((use, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <ToolCall key={place} run={run} tool={toolStepOf(run, nth + 1, place, use.tool)} use={use} />
              ))}
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function NamedCalls({ run }: { run: ShownRun }) {
  const calls = toolStepsIn(run);
  if (calls.length === 0) return null;
  return (
    <Section title="Tool calls">
      <ol className="flex flex-col gap-3">
        {calls.map((tool) => (
          <li key={`${tool.model}.${tool.place}`}>
            <Card>
              <ToolCall run={run} tool={tool} use={undefined} />
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}
