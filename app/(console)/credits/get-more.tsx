import { CodeBlock } from "#components/ui/code-block.tsx";
import { Section } from "#components/ui/section.tsx";

/** How credits come to the account: by the installation's operator. */
export function GetMore({ accountId }: { accountId: string }) {
  return (
    <Section
      title="Get more credits"
      description="Whoever runs this installation adds them from its terminal; they can be spent at once."
    >
      <CodeBlock
        label="terminal"
        code={`npm run --silent account -- credit --account ${accountId} --credits 10000`}
      />
    </Section>
  );
}
