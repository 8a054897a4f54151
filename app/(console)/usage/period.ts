const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export const periods = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "custom", label: "Custom" },
];

/** What the address says of the period: `from` and `to` are days of a custom one, both included. */
export type PeriodFilters = { period: string; from: string; to: string };

export type Period = {
  /** The choice that is on. */
  choice: string;
  /** The UTC days, the first first. */
  days: string[];
  /** The bounds as the API takes them; a period that reaches today has no end. */
  query: { from: string; to?: string };
};

/** The UTC day of a moment: `2026-03-01`. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The period that an address asks for, a year at most; whatever cannot be read is the last 30 days. */
export function periodOf({ period, from, to }: PeriodFilters, now: number): Period {
  const today = dayOf(now);
  if (period === "custom" && isDay(from) && isDay(to)) {
    const last = to < today ? to : today;
    const earliest = dayOf(Date.parse(last) - (MAX_DAYS - 1) * DAY_MS);
    return between("custom", from > last ? last : from < earliest ? earliest : from, last, today);
  }
  const choice = periods.some(({ value }) => value === period && value !== "custom")
    ? period
    : String(DEFAULT_DAYS);
  return between(choice, dayOf(now - (Number(choice) - 1) * DAY_MS), today, today);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(Date.parse(text) || 0) === text;
}

function between(choice: string, first: string, last: string, today: string): Period {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) days.push(dayOf(at));
  const from = `${first}T00:00:00.000Z`;
  const to = `${dayOf(Date.parse(last) + DAY_MS)}T00:00:00.000Z`;
  return { choice, days, query: last === today ? { from } : { from, to } };
}
