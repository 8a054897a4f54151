"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";

/** Whether the list follows what happens; in the address, so that a watched list can be shared. */
export function useLiveTail() {
  const filters = useFilters(["live"]);
  const on = filters.values.live === "on";
  const [pausing, setPaused] = useState(false);
  const paused = on && pausing;
  const follows = on && !paused;
  const queries = useQueryClient();
  const trpc = useTRPC();
  // What came before it follows, too.
  useEffect(() => {
    if (follows) void queries.invalidateQueries(trpc.auditEvents.list.pathFilter());
  }, [follows, queries, trpc]);
  return {
    filters,
    on,
    paused,
    setPaused,
    /** For the list's query: every request changes it, so that nobody could read one that always followed. */
    following: follows ? {} : { meta: { still: true }, refetchOnWindowFocus: !on },
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
