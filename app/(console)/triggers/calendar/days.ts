/** A trigger's starts on one day. */
interface CalendarEntry {
  id: string;
  name: string;
  /** The first time on that day. */
  first: string;
  times: number;
  /** True if there are further times, which the server has not listed. */
  more: boolean;
}

export interface CalendarDay {
  /** The date in the viewer's zone: `2027-01-31`. */
  date: string;
  entries: CalendarEntry[];
}

interface Coming {
  from: string;
  to: string;
  triggers: { id: string; name: string; times: string[]; more: boolean }[];
}

/** Returns the days of a calendar in a time zone, each with its starts, earliest first. */
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
