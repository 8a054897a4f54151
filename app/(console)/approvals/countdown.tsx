"use client";

import { useSyncExternalStore } from "react";
import { useHydrated } from "#components/ui/hydrated.ts";
import { everyMs } from "#components/ui/time.tsx";
import { exactTime, relativeTo } from "#components/ui/time-words.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

const subscribe = everyMs(SECOND);

const now = () => Math.floor(Date.now() / SECOND) * SECOND;

/** Shows the time left, to the second in the last hour: `in 4 min 09 s`; exact on hover and when copied. */
export function Countdown({ to }: { to: string }) {
  const current = useSyncExternalStore(subscribe, now, now);
  const hydrated = useHydrated();
  const exact = hydrated ? exactTime(to) : to;
  return (
    <time dateTime={to} title={exact} className="relative whitespace-nowrap tabular-nums">
      <span aria-hidden="true" className="select-none" suppressHydrationWarning>
        {leftUntil(Date.parse(to), current)}
      </span>
      <span className="sr-only">{exact}</span>
    </time>
  );
}

function leftUntil(to: number, current: number): string {
  const left = to - current;
  if (left <= 0) return "Over";
  if (left >= HOUR) return relativeTo(current, to);
  const seconds = String(Math.floor((left % MINUTE) / SECOND)).padStart(2, "0");
  return left < MINUTE ? `in ${Number(seconds)} s` : `in ${Math.floor(left / MINUTE)} min ${seconds} s`;
}
