"use client";

import { useId, useState } from "react";
import type { Boundary } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";

const FEW = 12;

/** Chooses a boundary of services or operations: none, only some names, or all but some. */
export function BoundaryField({
  what,
  meanings,
  choices,
  value: { mode, names },
  onChange,
}: {
  /** The plural noun, `Services`, in the labels of the choice and of the search. */
  what: string;
  /** The explanation of each mode. */
  meanings: Record<Boundary["mode"], string>;
  choices: readonly { name: string; hint?: string }[];
  value: Boundary;
  onChange: (value: Boundary) => void;
}) {
  const id = useId();
  const [search, setSearch] = useState("");
  const text = search.trim().toLowerCase();
  const shown = choices.filter(({ name }) => name.toLowerCase().includes(text));
  const toggle = (name: string, on: boolean) =>
    onChange({ mode, names: on ? [...names, name] : names.filter((other) => other !== name) });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{what}</legend>
      <Select
        aria-label={`${what} boundary`}
        aria-describedby={`${id}-hint`}
        options={[
          { value: "any", label: "No boundary" },
          { value: "allowed", label: "Only those chosen" },
          { value: "excluded", label: "All but those chosen" },
        ]}
        value={mode}
        onChange={(mode) => onChange({ mode, names })}
      />
      <p id={`${id}-hint`} className="text-13 text-muted">
        {meanings[mode]}
      </p>
      {mode !== "any" && (
        <>
          {choices.length > FEW && (
            <div className="flex flex-wrap items-center gap-2">
              <Input
                type="search"
                aria-label={`Search ${what.toLowerCase()}`}
                placeholder={`Search ${what.toLowerCase()}`}
                className="sm:max-w-64"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              <Button
                size="sm"
                onClick={() =>
                  onChange({ mode, names: [...new Set([...names, ...shown.map(({ name }) => name)])] })
                }
              >
                Choose all shown
              </Button>
              <Button size="sm" onClick={() => onChange({ mode, names: [] })}>
                Choose none
              </Button>
            </div>
          )}
          <div className="grid max-h-72 grid-cols-1 gap-x-4 overflow-y-auto rounded-md border px-3 py-1.5 sm:grid-cols-2">
            {shown.map(({ name, hint }) => (
              <Checkbox
                key={name}
                label={<span className="break-all font-mono text-13">{name}</span>}
                hint={hint}
                checked={names.includes(name)}
                onChange={(event) => toggle(name, event.target.checked)}
              />
            ))}
            {shown.length === 0 && <p className="py-1 text-13 text-muted">Nothing has that name.</p>}
          </div>
        </>
      )}
    </fieldset>
  );
}
