"use client";

import type { FilterOf } from "#components/table/use-filters.ts";
import { Switch } from "#components/ui/checkbox.tsx";
import { useChosen } from "#components/ui/chosen.ts";

/** A filter that is on or off: `<FilterSwitch filters={filters} name="live" label="Live tail" />`; in the address it is `on`. */
export function FilterSwitch<Name extends string>({ filters, name, label }: FilterOf<Name>) {
  const [chosen, choose] = useChosen(filters.values[name] === "on", (on) =>
    filters.set(name, on ? "on" : ""),
  );
  return <Switch label={label} checked={chosen} onChange={(event) => choose(event.target.checked)} />;
}
