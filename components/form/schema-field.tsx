"use client";

import type { InputField } from "#components/form/input-schema.ts";
import { JsonField } from "#components/form/json-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { NumberField, SelectField, TextareaField, TextField } from "#components/form/text-fields.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

const yesNo = [
  { value: "", label: "Not set" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

/** A property of an input with the control that suits it; `undefined` leaves the property out. */
export function SchemaField({
  field,
  onFault,
  ...own
}: FieldOf<unknown> & { field: InputField; onFault: (fault: string | null) => void }) {
  const { value, onChange } = own;
  const common = { ...own, label: field.name, hint: field.description, optional: !field.required };
  const text = typeof value === "string" ? value : "";
  const setText = (next: string) => onChange(next || undefined);

  switch (field.control) {
    case "line":
      return <TextField {...common} value={text} onChange={setText} />;
    case "text":
      return <TextareaField {...common} value={text} onChange={setText} />;
    case "number":
      return (
        <NumberField
          {...common}
          min={field.minimum}
          max={field.maximum}
          value={typeof value === "number" ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case "choice":
      return (
        <SelectField
          {...common}
          options={[
            { value: "", label: "Not set" },
            ...field.choices.map((choice) => ({ value: choice, label: choice })),
          ]}
          value={text}
          onChange={setText}
        />
      );
    case "yesno":
      return (
        <SelectField
          {...common}
          options={yesNo}
          value={typeof value === "boolean" ? String(value) : ""}
          onChange={(next) => onChange(next === "" ? undefined : next === "true")}
        />
      );
    case "lines":
      return (
        <LinesField
          {...common}
          hint={[field.description, "One per line."].filter(Boolean).join(" ")}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(lines) => onChange(lines.length > 0 ? lines : undefined)}
        />
      );
    case "json":
      return (
        <JsonField
          {...common}
          hint={[field.description, "As JSON."].filter(Boolean).join(" ")}
          onFault={onFault}
        />
      );
  }
}
