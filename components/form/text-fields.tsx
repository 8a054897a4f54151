"use client";

import type { ComponentProps, ReactNode } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Input, Textarea } from "#components/ui/input.tsx";
import { type Option, Select, withChosen } from "#components/ui/select.tsx";

type Own<Value> = FieldProps & FieldOf<Value>;
type InputProps = Pick<
  ComponentProps<"input">,
  "type" | "autoComplete" | "autoFocus" | "placeholder" | "inputMode" | "spellCheck" | "list"
>;

/** One line: `<TextField label="Name" {...form.field("name")} />`. */
export function TextField({
  name,
  value,
  onChange,
  error,
  label,
  hint,
  optional,
  ...input
}: Own<string> & InputProps) {
  return (
    <Field name={name} label={label} hint={hint} optional={optional} error={error}>
      {(control) => (
        <Input {...control} {...input} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** Several lines: `<TextareaField label="Description" optional {...form.field("description")} />`. */
export function TextareaField({
  name,
  value,
  onChange,
  error,
  label,
  hint,
  optional,
  ...input
}: Own<string> & Pick<ComponentProps<"textarea">, "rows" | "placeholder" | "spellCheck">) {
  return (
    <Field name={name} label={label} hint={hint} optional={optional} error={error}>
      {(control) => (
        <Textarea {...control} {...input} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** A choice of one: `<SelectField label="Project" options={projects} {...form.field("projectId")} />`. */
export function SelectField<Value extends string>({
  value,
  onChange,
  options,
  find,
  ...field
}: FieldProps &
  Omit<FieldOf<string>, "onChange"> & {
    options: readonly Option<Value>[];
    onChange: (value: NoInfer<Value>) => void;
    find?: ReactNode;
  }) {
  return (
    <Field {...field}>
      {(control) => (
        <>
          {find}
          <Select
            {...control}
            // A search above it may have left the chosen option out.
            options={withChosen(options, value)}
            value={value}
            onChange={(chosen) => {
              const option = options.find((each) => each.value === chosen);
              if (option) onChange(option.value);
            }}
          />
        </>
      )}
    </Field>
  );
}

/**
 * A whole number, or null if empty: `<NumberField label="Requests per minute" unit="per minute"
 * {...form.field("limit")} />`.
 */
export function NumberField({
  value,
  onChange,
  unit,
  min,
  max,
  ...field
}: Own<number | null> & {
  unit?: string;
  min?: number;
  max?: number;
}) {
  return (
    <Field {...field}>
      {(control) => (
        <span className="flex items-center gap-2">
          <Input
            {...control}
            type="number"
            inputMode="numeric"
            className="max-w-40"
            min={min}
            max={max}
            value={value ?? ""}
            onChange={(event) => onChange(event.target.value === "" ? null : event.target.valueAsNumber)}
          />
          {unit && <span className="text-13 text-muted">{unit}</span>}
        </span>
      )}
    </Field>
  );
}
