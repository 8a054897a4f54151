import { type Capability, priceText, usageText } from "#app/(console)/services/capability.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { CopyButton } from "#components/ui/copyable.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";

/** Shows the required scope, the price, and the exact schemas. */
export function CapabilityFacts({ capability }: { capability: Capability }) {
  const { selectors, price, readOnly, destructive, requiresApproval, inputSchema, outputSchema } = capability;
  const effects = [
    readOnly ? "Reads only" : "Writes",
    destructive && "Destroys for good",
    requiresApproval && "Needs an approval",
  ];
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Section title="At a glance">
        <Facts
          items={[
            { name: "Use", value: usageText(capability) },
            { name: "Price", value: priceText(price) },
            {
              name: "Effect",
              value: (
                <span className="flex flex-wrap gap-1">
                  {effects.map((effect) => effect && <Badge key={effect}>{effect}</Badge>)}
                </span>
              ),
            },
            {
              name: selectors.length === 1 ? "Selector" : "Selectors",
              value:
                selectors.length === 0
                  ? "None: it needs no key."
                  : selectors.map((selector, index) => (
                      <div key={selector} className="flex items-start gap-1">
                        <code className="min-w-0 break-all font-mono text-13">{selector}</code>
                        <CopyButton text={selector} what={`selector ${index + 1}`} />
                      </div>
                    )),
            },
          ]}
        />
      </Section>
      <Section title="Schemas">
        <CodeBlock label="Input schema" code={JSON.stringify(inputSchema, null, 2)} />
        <CodeBlock label="Output schema" code={JSON.stringify(outputSchema, null, 2)} />
      </Section>
    </div>
  );
}
