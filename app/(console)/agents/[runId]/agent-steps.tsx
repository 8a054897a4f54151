import type { ShownRun } from "#app/(console)/agents/queries.ts";
import { inDigits } from "#components/ui/digits.ts";
import { Card, Section } from "#components/ui/section.tsx";
import { Badge, Status } from "#components/ui/status.tsx";
import type { AgentResponse, ToolUse } from "#server/agents/schema.ts";

/** Shows the agent's messages and tool calls, model call by model call; available when the run has ended. */
export function AgentSteps({ run }: { run: ShownRun }) {
  const { steps = [] } = (run.result ?? {}) as Partial<AgentResponse>;
  if (steps.length === 0) return null;
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
                <Tool key={place} use={use} />
              ))}
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Tool({ use: { tool, operation, outcome, errorCode, chargedCredits } }: { use: ToolUse }) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-2">
      <code className="min-w-0 break-all font-mono text-13">{operation ?? tool}</code>
      <Status
        value={outcome}
        tone={outcome === "succeeded" ? "ok" : outcome === "rejected" ? "bad" : "warn"}
      />
      {errorCode && <span className="font-mono text-13 text-muted">{errorCode}</span>}
      {chargedCredits > 0 && (
        <Badge>{chargedCredits === 1 ? "1 credit" : `${inDigits(chargedCredits)} credits`}</Badge>
      )}
    </p>
  );
}
