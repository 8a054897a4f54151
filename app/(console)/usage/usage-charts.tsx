import type { Totals } from "#app/(console)/usage/usage-figures.tsx";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { Card } from "#components/ui/section.tsx";

const outcomes = [
  { key: "answered", label: "Answered", colour: "var(--accent)" },
  { key: "limited", label: "Refused by limits", colour: "var(--mark-warn)" },
  { key: "errors", label: "Errors", colour: "var(--mark-bad)" },
] as const;
const costs = [{ key: "credits", label: "Credits", colour: "var(--accent)" }] as const;

/** Each day of the period, those without a request too. */
export function UsageCharts({
  days,
  groups,
}: {
  days: string[];
  groups: ({ key: string | null } & Totals)[] | undefined;
}) {
  const byDay = new Map(groups?.map((group) => [group.key, group]));
  const points = days.map((at) => {
    const { requests, errors, limited, chargedCredits } = byDay.get(at) ?? nothing;
    return { at, answered: requests - errors - limited, limited, errors, credits: chargedCredits };
  });
  return (
    <section aria-labelledby="per-day" className="grid min-w-0 grid-cols-1 items-start gap-3 xl:grid-cols-2">
      <h2 id="per-day" className="sr-only">
        Day by day
      </h2>
      <Card>
        <TimeChart
          question="How did requests end, each day?"
          unit="requests"
          points={points}
          series={[...outcomes]}
        />
      </Card>
      <Card>
        <TimeChart question="What did each day cost?" unit="credits" points={points} series={[...costs]} />
      </Card>
    </section>
  );
}

const nothing: Totals = { requests: 0, errors: 0, limited: 0, chargedCredits: 0 };
