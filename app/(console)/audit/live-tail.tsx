"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";

/**
 * Returns whether the list follows new events; the address keeps that, so that a followed list can be shared. A list with
 * the oldest events first has no live tail.
 */
export function useLiveTail() {
  const filters = useFilters(["live", "sort"]);
  const isOffered = filters.values.sort !== "createdAt";
  const on = isOffered && filters.values.live === "on";
  const [pausing, setPaused] = useState(false);
  const paused = on && pausing;
  const follows = on && !paused;
  const queries = useQueryClient();
  const trpc = useTRPC();
  // Catches up on events from before the live tail was switched on.
  useEffect(() => {
    if (follows) void queries.invalidateQueries(trpc.auditEvents.list.pathFilter());
  }, [follows, queries, trpc]);
  return {
    filters,
    isOffered,
    on,
    paused,
    setPaused,
    /** Query options: every request changes the list, so that a list which always followed could not be read. */
    following: follows ? {} : { meta: { still: true }, refetchOnWindowFocus: !on },
  };
}

/** The switch of the live tail, with a pause button. */
export function LiveTail({ tail }: { tail: ReturnType<typeof useLiveTail> }) {
  const { filters, isOffered, on, paused, setPaused } = tail;
  if (!isOffered) return null;
  return (
    <span className="flex h-8 items-center gap-3">
      {on && <Button onClick={() => setPaused(!paused)}>{paused ? "Resume" : "Pause"}</Button>}
      <FilterSwitch filters={filters} name="live" label="Live tail" />
    </span>
  );
}
