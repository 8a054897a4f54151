"use client";

import { Plus, X } from "lucide-react";
import { useId } from "react";
import type { LimitKind, LimitRow } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { Field } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { type Option, Select } from "#components/ui/select.tsx";
import type { KeyAccess } from "#server/keys/access/schema.ts";

export const kinds: Option<LimitKind>[] = [
  { value: "requestsPerMinute", label: "requests per minute" },
  { value: "maxConcurrent", label: "calls at a time" },
  { value: "creditsPerDay", label: "credits per day" },
];

/** Edits limits, each a selector, a kind and a number. Selectors are suggested while typing. */
export function LimitsField({
  selectors,
  value: rows,
  onChange,
  ...field
}: FieldOf<LimitRow[]> & { selectors: KeyAccess["selectors"] }) {
  const listId = useId();
  const edit = (row: number, change: Partial<LimitRow>) =>
    onChange(rows.map((each) => (each.row === row ? { ...each, ...change } : each)));
  const add = () => {
    const row = Math.max(-1, ...rows.map((each) => each.row)) + 1;
    onChange([
      ...rows,
      { row, selector: rows.length === 0 ? "*" : "", kind: "requestsPerMinute", value: null },
    ]);
  };
  return (
    <Field
      group
      label="Limits"
      optional
      hint="A selector is an operation or a group of operations: * is every call, services.invoke every invocation. Limits of the parent keys apply too."
      {...field}
    >
      {(control) => (
        <div className="flex flex-col items-start gap-2">
          {rows.map(({ row, selector, kind, value }, index) => (
            <div key={row} className="flex w-full flex-wrap items-center gap-2 sm:flex-nowrap">
              <Input
                aria-label={`Limit ${index + 1}: selector`}
                aria-invalid={control["aria-invalid"]}
                className="font-mono"
                list={`${listId}-${kind === "creditsPerDay" ? "metered" : "all"}`}
                placeholder="projects.list"
                spellCheck={false}
                value={selector}
                onChange={(event) => edit(row, { selector: event.target.value.trim() })}
              />
              <Input
                aria-label={`Limit ${index + 1}: value`}
                aria-invalid={control["aria-invalid"]}
                type="number"
                inputMode="numeric"
                min={1}
                className="max-w-24"
                value={value ?? ""}
                onChange={(event) =>
                  edit(row, { value: event.target.value === "" ? null : event.target.valueAsNumber })
                }
              />
              <Select
                aria-label={`Limit ${index + 1}: kind`}
                className="shrink-0"
                options={kinds}
                value={kind}
                onChange={(kind) => edit(row, { kind })}
              />
              <IconButton
                icon={X}
                label={`Remove limit ${index + 1}`}
                onClick={() => onChange(rows.filter((each) => each.row !== row))}
              />
            </div>
          ))}
          <Button size="sm" onClick={add}>
            <Plus aria-hidden className="size-4" />
            Add limit
          </Button>
          <datalist id={`${listId}-all`}>
            {selectors.map(({ selector }) => (
              <option key={selector} value={selector} />
            ))}
          </datalist>
          <datalist id={`${listId}-metered`}>
            {selectors.flatMap(({ selector, metered }) =>
              metered ? [<option key={selector} value={selector} />] : [],
            )}
          </datalist>
        </div>
      )}
    </Field>
  );
}
