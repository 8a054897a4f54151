"use client";

import { useState } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Textarea } from "#components/ui/input.tsx";

/**
 * A JSON value, written as text: `<JsonField label="Input" {...field} onFault={…} />`. While the text is not valid
 * JSON, the value does not change, and `onFault` is called with the reason.
 */
export function JsonField({
  value,
  onChange,
  onFault,
  rows = 3,
  ...field
}: FieldProps & FieldOf<unknown> & { onFault: (fault: string | null) => void; rows?: number }) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));

  function edit(next: string) {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      onFault(null);
    } catch (reason) {
      onFault(`This is not JSON: ${(reason as Error).message}.`);
    }
  }

  return (
    <Field {...field}>
      {(control) => (
        <Textarea
          {...control}
          rows={rows}
          spellCheck={false}
          className="font-mono sm:text-13"
          value={text}
          onChange={(event) => edit(event.target.value)}
        />
      )}
    </Field>
  );
}
