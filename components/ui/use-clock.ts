"use client";

import { useEffect, useState } from "react";

/**
 * Returns the time, updated at this interval, or no more if it is false; `first` during hydration, because the server has
 * another clock.
 */
export function useClock(intervalMs: number | false, first: number): number {
  const [now, setNow] = useState(first);
  useEffect(() => {
    if (!intervalMs) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
