"use client";

import { useState } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import { lineOf, textsIn } from "#components/form/lines.ts";
import type { FieldOf } from "#components/form/use-form.ts";
import { Textarea } from "#components/ui/input.tsx";

/**
 * A field for a list of texts, one per line: `<LinesField label="tags" optional {...form.field("tags")} />`. Ignores
 * empty lines; a text with line breaks is written as a JSON string.
 */
export function LinesField({ value, onChange, ...field }: FieldProps & FieldOf<string[]>) {
  const [text, setText] = useState(value.map(lineOf).join("\n"));
  const hint = field.hint ?? "One per line.";
  const isQuoted = textsIn(text).some((one) => lineOf(one) !== one);

  function edit(next: string) {
    setText(next);
    onChange(textsIn(next));
  }

  return (
    <Field
      {...field}
      hint={
        isQuoted ? (
          <>
            {hint} In quotes, <code>\n</code> is a line break.
          </>
        ) : (
          hint
        )
      }
    >
      {(control) => (
        <Textarea {...control} rows={2} value={text} onChange={(event) => edit(event.target.value)} />
      )}
    </Field>
  );
}
