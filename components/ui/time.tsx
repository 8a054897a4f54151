"use client";

import { useSyncExternalStore } from "react";
import { useHydrated } from "#components/ui/hydrated.ts";
import { exactTime, relativeTo, TICK_MS } from "#components/ui/time-words.ts";

/** Returns a function that subscribes to a timer that all subscribers share. */
export function everyMs(ms: number): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (listener) => {
    listeners.add(listener);
    timer ??= setInterval(() => {
      for (const listener of listeners) listener();
    }, ms);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

const subscribe = everyMs(TICK_MS);

const now = () => Math.floor(Date.now() / TICK_MS) * TICK_MS + TICK_MS;

/** Returns the current time, updated every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now, now);
}

/**
 * Shows a moment: relative on screen, exact on hover and when copied: `<RelativeTime at={key.createdAt} />`; null is
 * "never".
 */
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

/** Shows the exact moment, for detail pages: `<ExactTime at={event.at} />`. */
export function ExactTime({ at }: { at: string }) {
  const hydrated = useHydrated();
  return (
    <time dateTime={at} className="break-words">
      {hydrated ? exactTime(at) : at}
    </time>
  );
}
