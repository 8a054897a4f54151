"use client";

import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";

interface ToolChoice {
  selector: string;
  title: string;
  readOnly: boolean;
  maximumCredits: number;
}

type Props = {
  tools: readonly ToolChoice[];
  value: string[] | null;
  onChange: (value: string[] | null) => void;
};

/** Chooses the agent's tools: all read-only ones, or a selection of those allowed to the person. */
export function ToolsField({ tools, value, onChange }: Props) {
  const reading = tools.filter(({ readOnly }) => readOnly);
  const all = value?.length === tools.length;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">Tools</legend>
      <Select
        aria-label="Tools"
        aria-describedby="tools-hint"
        options={[
          { value: "reading", label: "Everything that only reads" },
          { value: "chosen", label: "Only chosen ones" },
        ]}
        value={value === null ? "reading" : "chosen"}
        onChange={(value) => onChange(value === "reading" ? null : [])}
      />
      <p id="tools-hint" className="text-13 text-muted">
        {value === null
          ? `${reading.length} actions of yours that change nothing.`
          : `${all ? "All" : value.length} of the ${tools.length} actions that you may use now. Actions that return a secret are not among them.`}
      </p>
      {value !== null && <Choices tools={tools} value={value} onChange={onChange} />}
    </fieldset>
  );
}

function Choices({ tools, value, onChange }: Omit<Props, "value"> & { value: string[] }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = tools.filter(({ selector, title }) => `${selector} ${title}`.toLowerCase().includes(wanted));
  return (
    <>
      <Input
        type="search"
        aria-label="Search tools"
        placeholder="Search tools"
        className="sm:max-w-64"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="flex max-h-80 flex-col overflow-y-auto rounded-md border px-3 py-1.5">
        {shown.map(({ selector, title, readOnly, maximumCredits }) => (
          <Checkbox
            key={selector}
            label={<span className="break-all font-mono text-13">{selector}</span>}
            hint={[
              title,
              readOnly ? "only reads" : "changes something",
              maximumCredits > 0 && `up to ${maximumCredits} ${maximumCredits === 1 ? "credit" : "credits"}`,
            ]
              .filter(Boolean)
              .join(" · ")}
            checked={value.includes(selector)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, selector] : value.filter((other) => other !== selector))
            }
          />
        ))}
        {shown.length === 0 && <p className="py-1 text-13 text-muted">Nothing has that name.</p>}
      </div>
    </>
  );
}
