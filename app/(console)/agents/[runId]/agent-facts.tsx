import type { ShownRun } from "#app/(console)/agents/queries.ts";
import { routes } from "#components/routes.ts";
import { Count, Credits } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { AgentResponse } from "#server/agents/schema.ts";

const reasons: Record<AgentResponse["finishReason"], string> = {
  stop: "It was done.",
  max_steps: "It made as many model calls as it might.",
  max_tokens: "It used the tokens that it had.",
  max_credits: "It used the credits that it had.",
  length: "The model's answer grew too long.",
  content_filter: "The model's filter ended it.",
  other: "The model ended it.",
};

/** Shows the run's times, usage and error. */
export function AgentFacts({ run }: { run: ShownRun }) {
  const result = run.result as AgentResponse | null;
  return (
    <Section title="Facts">
      <Facts
        items={[
          { name: "Id", value: <Copyable value={run.id} /> },
          { name: "Run", value: <TextLink href={routes.runs.read(run.id)}>Steps and log</TextLink> },
          { name: "Created", value: <RelativeTime at={run.createdAt} /> },
          { name: "Finished", value: <RelativeTime at={run.finishedAt} never="Not yet" /> },
          { name: "Charged", value: <Credits value={run.chargedCredits} /> },
          ...(result
            ? [
                { name: "Input tokens", value: <Count value={result.usage.inputTokens} /> },
                { name: "Output tokens", value: <Count value={result.usage.outputTokens} /> },
                { name: "Ended because", value: reasons[result.finishReason] },
              ]
            : []),
        ]}
      />
    </Section>
  );
}
