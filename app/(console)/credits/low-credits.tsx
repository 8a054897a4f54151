import { TriangleAlert } from "lucide-react";
import type { Balance } from "#app/(console)/credits/balance-figures.tsx";
import { Count } from "#components/ui/amount.tsx";

/** Warns before calls are refused for lack of credits. */
export function LowCredits({ balance }: { balance: Balance | undefined }) {
  if (!balance || balance.availableCredits >= balance.lowThreshold) return null;
  const { availableCredits, lowThreshold } = balance;
  return (
    <div role="status" className="flex gap-3 rounded-md border border-warn/40 bg-warn-soft p-3 text-13">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="min-w-0">
        <p className="font-medium">
          {availableCredits > 0 ? "The account is low on credits." : "The account has no credits left."}
        </p>
        <p>
          <Count value={availableCredits} /> are available, fewer than <Count value={lowThreshold} />. A call
          that may cost more than that is refused with <code className="font-mono">insufficient_credits</code>{" "}
          before anything happens.
        </p>
      </div>
    </div>
  );
}
