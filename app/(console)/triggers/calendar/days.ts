/** What a trigger starts on a day. */
export interface CalendarEntry {
  id: string;
  name: string;
  /** Its first time on that day. */
  first: string;
  times: number;
  /** Whether there are further ones that were not answered. */
  more: boolean;
}

export interface CalendarDay {
  /** `2027-01-31` in the viewer's zone. */
  date: string;
  entries: CalendarEntry[];
}

interface Coming {
  from: string;
  to: string;
  triggers: { id: string; name: string; times: string[]; more: boolean }[];
}

/** The days of a calendar in a time zone, each with what starts on it, the earliest first. */
export function daysOf({ from, to, triggers }: Coming, timeZone: string): CalendarDay[] {
  const dates = new Intl.DateTimeFormat("en-CA", { timeZone });
  const dateOf = (moment: string | number) => dates.format(new Date(moment));
  const days = new Map<string, CalendarEntry[]>();
  const HOUR = 3_600_000;
  for (let at = Date.parse(from); at <= Date.parse(to); at += HOUR) days.set(dateOf(at), []);
  for (const { id, name, times, more } of triggers)
    for (const [date, on] of Map.groupBy(times, dateOf)) {
      const [first] = on;
      const isLast = on.at(-1) === times.at(-1);
      if (first) days.get(date)?.push({ id, name, first, times: on.length, more: more && isLast });
    }
  return [...days].map(([date, entries]) => ({
    date,
    entries: entries.sort((one, other) => (one.first < other.first ? -1 : 1)),
  }));
}
