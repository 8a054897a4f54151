import { useEffect, useState } from "react";
import { Decision, Reasons } from "#app/(console)/_quote/decision.tsx";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { NamedText, useAddressNames } from "#components/address-names.tsx";
import { Amount, Credits, toCents } from "#components/ui/amount.tsx";
import { Card, Facts } from "#components/ui/section.tsx";
import type { Quote } from "#server/quotes/schema.ts";

/** Returns the whole seconds left until a moment, counting down. */
export function useSecondsUntil(at: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((Date.parse(at) - now) / 1000));
}

/** Shows a quote: the policy's decision with its reasons, and the cost. */
export function QuoteCard({ quote, what }: { quote: Quote; what: string }) {
  const { symbolOf } = useSymbols();
  const names = useAddressNames([what]);
  const seconds = useSecondsUntil(quote.expiresAt);
  return (
    <Card className="flex flex-col gap-3">
      <p className="break-words font-medium">
        <NamedText text={what} names={names} />
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Decision of={quote.policy} />
        <span className="text-13 text-muted">
          {seconds > 0 ? `The quote holds for ${seconds} s.` : "The quote has expired; get another."}
        </span>
      </div>
      <Reasons of={quote.policy} />
      <Facts
        items={[
          ...quote.fees.map(({ type, amount, asset, valueUsd }) => ({
            name: `${type.charAt(0).toUpperCase()}${type.slice(1)} fee`,
            value: (
              <>
                <Amount value={amount} unit={symbolOf(networkOf(quote), asset)} />
                {valueUsd !== null && <span className="text-muted"> ({toCents(valueUsd)} USD)</span>}
              </>
            ),
          })),
          { name: "Charge", value: <Credits value={quote.chargedCredits} /> },
        ]}
      />
    </Card>
  );
}

/** Returns the network on which the fees are paid, if the quote's input names one. */
function networkOf({ input }: Quote): string {
  const { network, from } = input as { network?: string; from?: { network?: string } };
  return network ?? from?.network ?? "";
}
