import { CodeBlock } from "#components/ui/code-block.tsx";
import { Section } from "#components/ui/section.tsx";

/** Says how to export the audit chain and verify it offline, without trusting this installation. */
export function ExportCommands({ accountId }: { accountId: string }) {
  return (
    <Section
      title="Export"
      description="The whole chain with its signed heads. The check needs no server: it finds any event that was changed, left out or put in."
    >
      <CodeBlock
        label="terminal"
        code={`npm run --silent audit:export -- --account ${accountId} > audit.ndjson\nnpm run --silent audit:verify -- audit.ndjson`}
      />
    </Section>
  );
}
