"use client";

import { ConcurrencyField } from "#app/(console)/triggers/concurrency-field.tsx";
import type { ConcurrencyRow } from "#app/(console)/triggers/flow-values.ts";
import { LinesField } from "#components/form/lines-field.tsx";
import { NumberField, TextField } from "#components/form/text-fields.tsx";
import { type FieldOf, issueOf } from "#components/form/use-form.ts";
import type { Issue } from "#components/ui/problem.ts";

interface FlowForm {
  field(name: "tags"): FieldOf<string[]>;
  field(name: "priority" | "debounceSeconds" | "debounceMaxSeconds"): FieldOf<number | null>;
  field(name: "concurrency"): FieldOf<ConcurrencyRow[]>;
  field(name: "debounceKey"): FieldOf<string>;
}

/** Edits the tags, priority, concurrency keys and debouncing of a trigger's runs. */
export function FlowFields({
  form,
  issues,
  mayDebounce,
}: {
  form: FlowForm;
  /** The faults, by field. */
  issues: readonly Issue[];
  /** True if events or deliveries start the runs. */
  mayDebounce: boolean;
}) {
  /** Gives a field its own fault: the form has it under the path in the operation's input. */
  const own = <Value,>(field: FieldOf<Value>) => ({ ...field, error: issueOf(field.name, issues) });
  const debounceKey = form.field("debounceKey");
  return (
    <>
      <LinesField
        label="Tags"
        optional
        hint="One per line; its runs are found by them."
        {...own(form.field("tags"))}
      />
      <NumberField
        label="Priority"
        unit="minutes of waiting"
        min={-10}
        max={10}
        hint="Which of the account’s runs that wait for a worker are taken first, -10 to 10."
        {...own(form.field("priority"))}
      />
      <ConcurrencyField {...form.field("concurrency")} issues={issues} />
      {mayDebounce && (
        <TextField
          label="Debounce by"
          optional
          hint="A key, such as the trigger’s name: events that follow each other quickly start one run, with the last of them."
          autoComplete="off"
          spellCheck={false}
          {...own(debounceKey)}
        />
      )}
      {mayDebounce && debounceKey.value !== "" && (
        <>
          <NumberField label="Quiet for" unit="seconds" min={1} {...own(form.field("debounceSeconds"))} />
          <NumberField
            label="At the latest after"
            unit="seconds"
            min={1}
            optional
            {...own(form.field("debounceMaxSeconds"))}
          />
        </>
      )}
    </>
  );
}
