"use client";

import { Field, type FieldProps } from "#components/form/field.tsx";
import { toLocal } from "#components/form/local-time.ts";
import type { FieldOf } from "#components/form/use-form.ts";
import { useHydrated } from "#components/ui/hydrated.ts";
import { Input } from "#components/ui/input.tsx";

/**
 * A moment in the viewer's zone; the value is UTC text as the API uses it, or null: `<DateTimeField label="Expires"
 * {...form.field("expiresAt")} />`.
 */
export function DateTimeField({ value, onChange, ...field }: FieldProps & FieldOf<string | null>) {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  return (
    <Field {...field} hint={field.hint ?? `In your time zone, ${zone}.`}>
      {(control) => (
        <Input
          {...control}
          type="datetime-local"
          className="max-w-60"
          value={value ? toLocal(value) : ""}
          onChange={(event) =>
            onChange(event.target.value ? new Date(event.target.value).toISOString() : null)
          }
        />
      )}
    </Field>
  );
}
