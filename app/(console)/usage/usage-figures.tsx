import { Count, inUsd } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Figure } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export type Totals = {
  requests: number;
  errors: number;
  limited: number;
  chargedCredits: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
};

export const inMs = (ms: number | null) => (ms === null ? "—" : `${inDigits(ms)}\u00a0ms`);

/** Summarises the period in five numbers. */
export function UsageFigures({ totals }: { totals: Totals | undefined }) {
  const shareOf = (part: number) => (totals && totals.requests > 0 ? share(part / totals.requests) : "—");
  const figures = [
    {
      label: "Requests",
      value: totals && <Count value={totals.requests} />,
      hint: "of keys, and changes by people",
    },
    {
      label: "Errors",
      value: totals && <Count value={totals.errors} />,
      hint: totals && `${shareOf(totals.errors)} of requests`,
    },
    {
      label: "Refused by limits",
      value: totals && <Count value={totals.limited} />,
      hint: totals && `${shareOf(totals.limited)} of requests`,
    },
    {
      label: "Latency",
      value: totals && inMs(totals.p50Ms),
      hint: totals && `median; p95\u00a0${inMs(totals.p95Ms)}, p99\u00a0${inMs(totals.p99Ms)}`,
    },
    {
      label: "Credits charged",
      value: totals && <Count value={totals.chargedCredits} />,
      hint: totals && inUsd(totals.chargedCredits),
    },
  ];
  return (
    <div className="grid grid-cols-2 gap-3 *:last:col-span-2 lg:grid-cols-5 lg:*:last:col-span-1">
      {figures.map(({ label, value, hint }) => (
        <Figure
          key={label}
          label={label}
          value={value ?? <Skeleton className="h-7 w-20" />}
          hint={hint ?? " "}
        />
      ))}
    </div>
  );
}

/** Formats a ratio: `0.4 %`; small ones as `< 0.1 %`. */
export function share(ratio: number): string {
  if (ratio > 0 && ratio < 0.001) return "< 0.1 %";
  return `${inDigits(ratio * 100, 1)} %`;
}
