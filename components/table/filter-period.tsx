"use client";

import { useState } from "react";
import { FilterTime } from "#components/table/filter-time.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { Select } from "#components/ui/select.tsx";

const HOUR_MS = 3_600_000;
const CUSTOM = "chosen";
const spans = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
];

/** A period as one control; its two dates are shown if it was not chosen here as a span up to now. */
export function FilterPeriod({ filters }: { filters: Filters<string> }) {
  const { from = "", to = "" } = filters.values;
  const [chosen, setChosen] = useState({ span: "", from: "" });
  const isNarrowed = from !== "" || to !== "";
  const span = chosen.from === from && to === "" ? chosen.span : isNarrowed ? CUSTOM : "";

  function choose(value: string) {
    if (value === CUSTOM) {
      setChosen({ span: CUSTOM, from });
      return;
    }
    const begin = value && new Date(Date.now() - Number(value) * HOUR_MS).toISOString();
    setChosen({ span: value, from: begin });
    filters.set("from", begin);
    filters.set("to", "");
  }

  return (
    <>
      <Select
        aria-label="Time"
        className="max-sm:min-w-[40%] max-sm:flex-1 sm:w-36"
        options={[{ value: "", label: "Any time" }, ...spans, { value: CUSTOM, label: "Chosen time" }]}
        value={span}
        onChange={choose}
      />
      {span === CUSTOM && (
        <>
          <FilterTime filters={filters} name="from" label="From" />
          <FilterTime filters={filters} name="to" label="Until" />
        </>
      )}
    </>
  );
}
