"use client";

import { useState } from "react";
import { FilterTime } from "#components/table/filter-time.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { Select } from "#components/ui/select.tsx";

const HOUR_MS = 3_600_000;
const spans = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
];

/** A period as one control; its two dates are shown for a custom period. */
export function FilterPeriod({ filters }: { filters: Filters<string> }) {
  const { from, to } = filters.values;
  const [open, setOpen] = useState(false);
  const isCustom = open || from !== "" || to !== "";

  function choose(value: string) {
    setOpen(value === "chosen");
    if (value === "chosen") return;
    filters.set("from", value && new Date(Date.now() - Number(value) * HOUR_MS).toISOString());
    filters.set("to", "");
  }

  return (
    <>
      <Select
        aria-label="Time"
        className="max-sm:min-w-[40%] max-sm:flex-1 sm:max-w-44"
        options={[{ value: "", label: "Any time" }, ...spans, { value: "chosen", label: "Chosen time" }]}
        value={isCustom ? "chosen" : ""}
        onChange={(event) => choose(event.target.value)}
      />
      {isCustom && (
        <>
          <FilterTime filters={filters} name="from" label="From" />
          <FilterTime filters={filters} name="to" label="Until" />
        </>
      )}
    </>
  );
}
