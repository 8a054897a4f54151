import { CodeBlock } from "#components/ui/code-block.tsx";
import { Section } from "#components/ui/section.tsx";

const TOP_UP = `curl -i "$BASE_URL/v1/credits/x402/top-up" -H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: top-up-0001" -H "Content-Type: application/json" -d '{"amountUsd":25}'`;

/** How credits come to the account: by the installation's operator, or bought. */
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
      <p className="text-muted">
        A backend that holds dollars on chain buys them itself, 5 to 500 USD at a time: the call answers what
        to pay, and any x402 client signs it.
      </p>
      <CodeBlock label="x402" code={TOP_UP} />
    </Section>
  );
}
