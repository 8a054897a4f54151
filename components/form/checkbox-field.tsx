"use client";

import type { FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";

/** A field for yes or no: `<CheckboxField label="Try it first" {...form.field("dryRun")} />`. */
export function CheckboxField({ name, value, onChange, label, hint }: FieldProps & FieldOf<boolean>) {
  return (
    <Checkbox
      name={name}
      label={label}
      hint={hint}
      checked={value}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
