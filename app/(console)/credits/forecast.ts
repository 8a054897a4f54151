import { DAY_MS } from "#server/base/durations.ts";

const PACE_DAYS = 7;
const MAX_AHEAD = 15;

type Day = { key: string | null; chargedCredits: number };
type Left = { day: string; totalCredits: number };

/** The forecast of the credits at the rate of the last seven days. */
interface Forecast {
  /** Credits per day. */
  pace: number;
  /** Whole days from now; null if nothing is charged. */
  daysLeft: number | null;
}

/** `history` and `charged` end with today. */
export function forecastOf(available: number, history: readonly Left[], charged: readonly Day[]): Forecast {
  const recent = new Set(history.slice(-PACE_DAYS).map(({ day }) => day));
  const sum = charged.reduce(
    (total, { key, chargedCredits }) => (recent.has(key ?? "") ? total + chargedCredits : total),
    0,
  );
  const pace = sum / PACE_DAYS;
  return { pace, daysLeft: pace > 0 ? Math.floor(Math.max(available, 0) / pace) : null };
}

/** Returns the balance at the end of each day since the first credits, and the forecast of the next days. */
export function burnDown(history: readonly Left[], { pace, daysLeft }: Forecast) {
  const first = history.findIndex(({ totalCredits }) => totalCredits > 0);
  const past = history.map(({ day, totalCredits }, index) => ({
    at: day,
    left: index < first ? null : (totalCredits as number | null),
    ahead: null as number | null,
  }));
  const today = past.at(-1);
  if (!today || today.left === null || daysLeft === null) return past;
  const { left } = today;
  today.ahead = left;
  const ahead = Array.from({ length: Math.min(daysLeft + 1, MAX_AHEAD) }, (_, index) => ({
    at: new Date(Date.parse(today.at) + (index + 1) * DAY_MS).toISOString().slice(0, 10),
    left: null,
    ahead: Math.max(0, Math.round(left - pace * (index + 1))),
  }));
  return [...past, ...ahead];
}
