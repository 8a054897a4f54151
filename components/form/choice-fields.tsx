"use client";

import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";

export type Choice = { value: string; label?: string; hint?: string; disabled?: boolean };

/** Any of several, each with a checkbox named by it: `<CheckboxGroupField label="Scopes" choices={scopes} {...form.field("scopes")} />`. */
export function CheckboxGroupField({
  name,
  value,
  onChange,
  error,
  label,
  hint,
  optional,
  choices,
  columns = false,
}: FieldProps &
  FieldOf<string[]> & {
    choices: readonly Choice[];
    /** Two columns where there is room, for short names. */
    columns?: boolean;
  }) {
  return (
    <Field group name={name} label={label} hint={hint} optional={optional} error={error}>
      {(control) => (
        <div className={columns ? "grid grid-cols-1 gap-x-4 sm:grid-cols-2" : "flex flex-col"}>
          {choices.map((choice) => (
            <Checkbox
              key={choice.value}
              name={name}
              aria-invalid={control["aria-invalid"]}
              label={choice.label ?? choice.value}
              hint={choice.hint}
              disabled={choice.disabled}
              checked={value.includes(choice.value)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...value, choice.value]
                    : value.filter((other) => other !== choice.value),
                )
              }
            />
          ))}
        </div>
      )}
    </Field>
  );
}

/** A yes or no: `<CheckboxField label="Try it first" {...form.field("dryRun")} />`. */
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
