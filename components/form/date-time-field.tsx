"use client";

import { Field, type FieldProps } from "#components/form/field.tsx";
import { toLocal } from "#components/form/local-time.ts";
import type { FieldOf } from "#components/form/use-form.ts";
import { useTypedDate } from "#components/form/use-typed-date.ts";
import { useHydrated } from "#components/ui/hydrated.ts";
import { Input } from "#components/ui/input.tsx";

/**
 * A moment in the viewer's zone; the value is UTC text as the API uses it, or null: `<DateTimeField label="Expires"
 * {...form.field("expiresAt")} />`.
 */
export function DateTimeField({ value, onChange, ...field }: FieldProps & FieldOf<string | null>) {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const typed = useTypedDate(value ? toLocal(value) : "", (next) =>
    onChange(next ? new Date(next).toISOString() : null),
  );
  return (
    <Field {...field} hint={field.hint ?? `In your time zone, ${zone}.`}>
      {(control) => (
        <Input
          {...control}
          type="datetime-local"
          className="max-w-60"
          {...typed}
          onChange={(event) => {
            typed.onChange(event);
            // Enter submits a form without leaving the field.
            if (event.target.value === "") onChange(null);
          }}
        />
      )}
    </Field>
  );
}
