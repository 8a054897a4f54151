"use client";

import { useState } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Textarea } from "#components/ui/input.tsx";

/**
 * A field for a list of texts, one per line: `<LinesField label="tags" optional {...form.field("tags")} />`. Ignores
 * empty lines.
 */
export function LinesField({ value, onChange, ...field }: FieldProps & FieldOf<string[]>) {
  const [text, setText] = useState(value.join("\n"));

  function edit(next: string) {
    setText(next);
    onChange(
      next
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    );
  }

  return (
    <Field {...field} hint={field.hint ?? "One per line."}>
      {(control) => (
        <Textarea {...control} rows={2} value={text} onChange={(event) => edit(event.target.value)} />
      )}
    </Field>
  );
}
