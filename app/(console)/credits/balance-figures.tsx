import { Count, inUsd } from "#components/ui/amount.tsx";
import { Figure } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export type Balance = {
  availableCredits: number;
  reservedCredits: number;
  totalCredits: number;
  lowThreshold: number;
};

/** Shows the available credits, the credits held for running calls, and their sum. */
export function BalanceFigures({ balance }: { balance: Balance | undefined }) {
  const figures = [
    { label: "Available", credits: balance?.availableCredits, note: "to spend now" },
    { label: "Reserved", credits: balance?.reservedCredits, note: "held for calls under way" },
    { label: "Total", credits: balance?.totalCredits, note: "available and reserved" },
  ];
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      {figures.map(({ label, credits, note }) => (
        <Figure
          key={label}
          label={label}
          value={credits === undefined ? <Skeleton className="h-7 w-24" /> : <Count value={credits} />}
          hint={credits === undefined ? note : `${inUsd(credits)}, ${note}`}
        />
      ))}
    </div>
  );
}
