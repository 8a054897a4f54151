// Not by Intl, as in `digits.ts`.

export const TICK_MS = 10_000;
const units: [ms: number, one: string, many: string, last?: string, next?: string][] = [
  [31_536_000_000, "yr.", "yr.", "last yr.", "next yr."],
  [2_592_000_000, "mo.", "mo.", "last mo.", "next mo."],
  [86_400_000, "day", "days", "yesterday", "tomorrow"],
  [3_600_000, "hr.", "hr."],
  [60_000, "min.", "min."],
];

/** Formats a moment relative to now: `3 min. ago`, `in 2 days`, `just now`. */
export function relativeTo(now: number, at: number): string {
  const distance = at - now;
  const unit = units.find(([ms]) => Math.abs(distance) >= ms);
  if (!unit) return distance > TICK_MS ? "in under a minute" : "just now";
  const [ms, one, many, last, next] = unit;
  const past = distance < 0;
  // Past times are truncated to full units; future times are rounded, so that 30 days do not show as 29 a second later.
  const count = past ? Math.trunc(-distance / ms) : Math.round(distance / ms);
  if (count === 1) return (past ? last : next) ?? (past ? `1 ${one} ago` : `in 1 ${one}`);
  return past ? `${count} ${many} ago` : `in ${count} ${many}`;
}

/** Formats a moment as `2026-03-01 14:05:09 UTC+1`, in the viewer's zone. */
export function exactTime(iso: string): string {
  const date = new Date(iso);
  const local = inZone(date);
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zoneOf(-date.getTimezoneOffset())}`;
}

/** Formats a moment as `14:05`, in the viewer's zone. */
export function clockTime(iso: string): string {
  return inZone(new Date(iso)).slice(11, 16);
}

/** Returns the date and clock of the viewer's zone in ISO 8601. */
function inZone(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
}

function zoneOf(ahead: number): string {
  if (ahead === 0) return "UTC";
  const minutes = Math.abs(ahead);
  const rest = minutes % 60 > 0 ? `:${String(minutes % 60).padStart(2, "0")}` : "";
  return `UTC${ahead > 0 ? "+" : "−"}${Math.floor(minutes / 60)}${rest}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats a UTC day as `1 Mar`. */
export function shortDay(at: string): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}
