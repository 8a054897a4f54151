import type { Period } from "#app/(console)/usage/period.ts";
import type { Totals } from "#app/(console)/usage/usage-figures.tsx";
import type { Series } from "#components/chart/series.ts";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { Card } from "#components/ui/section.tsx";

type Group = { key: string | null } & Totals;

const outcomes: Series<"answered" | "limited" | "errors">[] = [
  { key: "answered", label: "Answered", colour: "var(--accent)" },
  { key: "limited", label: "Refused by limits", colour: "var(--mark-warn)" },
  { key: "errors", label: "Errors", colour: "var(--mark-bad)" },
];
const costs: Series<"credits">[] = [{ key: "credits", label: "Credits", colour: "var(--accent)" }];
const durations: Series<"p50Ms" | "p95Ms" | "p99Ms">[] = [
  { key: "p50Ms", label: "Median", colour: "var(--accent)" },
  { key: "p95Ms", label: "95 % within", colour: "var(--mark-warn)" },
  { key: "p99Ms", label: "99 % within", colour: "var(--mark-bad)" },
];

const clock = (at: string) => at.slice(11, 16);
const written = { day: {}, hour: { moments: "times are UTC", formatAt: clock } } as const;
const writtenBy = { ...written, minute: written.hour };

/** Returns how a chart writes the moments of a step. */
export const momentsOf = (step: Period["step"]) => writtenBy[step];

/** Charts each step of the period, including those without requests; with `latency` also the requests' durations. */
export function UsageCharts({
  period: { moments, step },
  groups,
  latency = false,
}: {
  period: Period;
  groups: Group[] | undefined;
  latency?: boolean;
}) {
  const byMoment = new Map(groups?.map((group) => [group.key, group]));
  const points = moments.map((at) => {
    const { requests, errors, limited, chargedCredits, p50Ms, p95Ms, p99Ms } = byMoment.get(at) ?? nothing;
    const answered = requests - errors - limited;
    return { at, answered, limited, errors, credits: chargedCredits, p50Ms, p95Ms, p99Ms };
  });
  const common = { points, ...momentsOf(step) };
  return (
    <section
      aria-labelledby="over-time"
      className="grid min-w-0 grid-cols-1 items-start gap-3 xl:grid-cols-2"
    >
      <h2 id="over-time" className="sr-only">
        Over time
      </h2>
      <Card className={latency ? "xl:col-span-2" : undefined}>
        <TimeChart
          question={`How did requests end, each ${step}?`}
          unit="requests"
          series={outcomes}
          {...common}
        />
      </Card>
      {latency && (
        <Card>
          <TimeChart
            question={`How long did requests take, each ${step}?`}
            unit="milliseconds"
            series={durations}
            kind="line"
            {...common}
          />
        </Card>
      )}
      <Card>
        <TimeChart question={`What did each ${step} cost?`} unit="credits" series={costs} {...common} />
      </Card>
    </section>
  );
}

const nothing: Totals = {
  requests: 0,
  errors: 0,
  limited: 0,
  chargedCredits: 0,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
};
