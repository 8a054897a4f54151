"use client";

import { useState } from "react";
import { FilterSwitch } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { Button } from "#components/ui/button.tsx";

const POLL_MS = 2_000;

/** Whether the list follows what happens; in the address, so that a watched list can be shared. */
export function useLiveTail() {
  const filters = useFilters(["live"]);
  const on = filters.values.live === "on";
  const [pausing, setPaused] = useState(false);
  const paused = on && pausing;
  return {
    filters,
    on,
    paused,
    setPaused,
    /** For the list's query. */
    polling: on && !paused ? { refetchInterval: POLL_MS, staleTime: 0 } : { refetchOnWindowFocus: !on },
  };
}

/** The switch of the live tail, and its pause for reading. */
export function LiveTail({ tail }: { tail: ReturnType<typeof useLiveTail> }) {
  const { filters, on, paused, setPaused } = tail;
  return (
    <span className="flex h-8 items-center gap-3">
      {on && <Button onClick={() => setPaused(!paused)}>{paused ? "Resume" : "Pause"}</Button>}
      <FilterSwitch filters={filters} name="live" label="Live tail" />
    </span>
  );
}
