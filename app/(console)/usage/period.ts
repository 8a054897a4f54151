const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

type Step = "minute" | "hour" | "day";

/** The predefined periods: a number of steps up to now. */
const choices = [
  { value: "1h", label: "Hour", step: "minute", steps: 60 },
  { value: "24h", label: "24 hours", step: "hour", steps: 24 },
  { value: "7", label: "7 days", step: "day", steps: 7 },
  { value: "30", label: "30 days", step: "day", steps: 30 },
  { value: "90", label: "90 days", step: "day", steps: 90 },
  { value: "365", label: "Year", step: "day", steps: 365 },
] as const;
const usual = choices[3];
const stepMs: Record<Step, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export const periods = [
  ...choices.map(({ value, label }) => ({ value, label })),
  { value: "custom", label: "Custom" },
];

/** The period in the address: `from` and `to` are the days of a custom one, both included. */
export type PeriodFilters = { period: string; from: string; to: string };

export type Period = {
  /** The chosen period. */
  choice: string;
  step: Step;
  /** The keys by which the API groups, oldest first: UTC days, or the starts of hours or minutes. */
  moments: string[];
  /** The bounds for the API; a period that reaches the present has no end. */
  query: { from: string; to?: string };
};

/** Returns the UTC day of a moment: `2026-03-01`. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns the period in an address, at most a year; the last 30 days if it cannot be parsed. */
export function periodOf({ period, from, to }: PeriodFilters, now: number): Period {
  const today = dayOf(now);
  if (period === "custom" && isDay(from) && isDay(to)) {
    const last = to < today ? to : today;
    const earliest = dayOf(Date.parse(last) - (MAX_DAYS - 1) * DAY_MS);
    const first = from > last ? last : from < earliest ? earliest : from;
    const custom = between("custom", "day", Date.parse(first), Date.parse(last));
    const end = new Date(Date.parse(last) + DAY_MS).toISOString();
    return last === today ? custom : { ...custom, query: { ...custom.query, to: end } };
  }
  const { value, step, steps } = choices.find(({ value }) => value === period) ?? usual;
  const last = Math.floor(now / stepMs[step]) * stepMs[step];
  return between(value, step, last - (steps - 1) * stepMs[step], last);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(Date.parse(text) || 0) === text;
}

function between(choice: string, step: Step, first: number, last: number): Period {
  const moments: string[] = [];
  for (let at = first; at <= last; at += stepMs[step])
    moments.push(step === "day" ? dayOf(at) : new Date(at).toISOString());
  return { choice, step, moments, query: { from: new Date(first).toISOString() } };
}
