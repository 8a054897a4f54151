"use client";

import { useSyncExternalStore } from "react";
import { useHydrated } from "#components/ui/hydrated.ts";

const tickMs = 10_000;
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** `3 min. ago`, `in 2 days`, `just now`. */
export function relativeTo(now: number, at: number): string {
  const distance = at - now;
  for (const [unit, ms] of units) {
    // What is past is told in full units; what is to come is rounded, so that 30 days are not 29 a second later.
    if (Math.abs(distance) >= ms) {
      return relative.format(distance < 0 ? Math.trunc(distance / ms) : Math.round(distance / ms), unit);
    }
  }
  return distance > tickMs ? "in under a minute" : "just now";
}

const inFull = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });
const withZone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** `2026-03-01 14:05:09 GMT+1`, in the viewer's zone. */
export function exactTime(iso: string): string {
  const date = new Date(iso);
  const zone = withZone.formatToParts(date).find(({ type }) => type === "timeZoneName");
  return `${inFull.format(date)} ${zone?.value ?? ""}`;
}

/** Tells all who listen by one timer. */
export function everyMs(ms: number): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (listener) => {
    listeners.add(listener);
    timer ??= setInterval(() => {
      for (const tell of listeners) tell();
    }, ms);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

const subscribe = everyMs(tickMs);

const now = () => Math.floor(Date.now() / tickMs) * tickMs + tickMs;

/** The time of this moment, moving on every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now, now);
}

/** A moment: relative on screen, exact on hover and in copied text: `<RelativeTime at={key.createdAt} />`; null is "never". */
export function RelativeTime({ at, never = "Never" }: { at: string | null; never?: string }) {
  const current = useNow();
  const hydrated = useHydrated();
  if (at === null) return <span className="text-muted">{never}</span>;
  const exact = hydrated ? exactTime(at) : at;
  return (
    <time dateTime={at} title={exact} className="relative whitespace-nowrap">
      <span aria-hidden="true" className="select-none" suppressHydrationWarning>
        {relativeTo(current, Date.parse(at))}
      </span>
      <span className="sr-only">{exact}</span>
    </time>
  );
}

/** A moment, exact on screen, for detail pages: `<ExactTime at={event.at} />`. */
export function ExactTime({ at }: { at: string }) {
  const hydrated = useHydrated();
  return (
    <time dateTime={at} className="break-words">
      {hydrated ? exactTime(at) : at}
    </time>
  );
}
