import { Credits } from "#components/ui/amount.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Section } from "#components/ui/section.tsx";

type InvokeAnswer = { upstreamStatus: number; chargedCredits: number; result?: unknown };

/** Shows a call's result and charge, and announces them to screen readers. */
export function InvokeResult({ answer }: { answer: InvokeAnswer | undefined }) {
  return (
    <div role="status" className="contents">
      {answer && (
        <Section
          title="Result"
          description={
            <>
              Answered with {answer.upstreamStatus}, charged <Credits value={answer.chargedCredits} />.
            </>
          }
        >
          <CodeBlock label="result" code={JSON.stringify(answer.result, null, 2)} />
        </Section>
      )}
    </div>
  );
}
