"use client";

import { X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { type Option, Select } from "#components/ui/select.tsx";

/**
 * A field for a list of picked values: `<PickField label="Networks" add="Add a network" choices={networks}
 * {...form.field("networks")} />`. With `typed`, the label of a text field, it also accepts values that are not among
 * the choices.
 */
export function PickField({
  value,
  onChange,
  choices,
  add,
  typed,
  find,
  labelOf = (one) => choices.find((choice) => choice.value === one)?.label ?? one,
  show = labelOf,
  ...field
}: FieldProps &
  FieldOf<string[]> & {
    choices: readonly Option[];
    /** The label of the choices: "Add a network". */
    add: string;
    typed?: string;
    /** Searches for further choices. */
    find?: ReactNode;
    /** Returns the displayed name of a picked value. */
    labelOf?: (one: string) => string;
    /** Shows a picked value with its details. */
    show?: (one: string) => ReactNode;
  }) {
  const [text, setText] = useState("");
  const adding = useRef<HTMLDivElement>(null);
  const others = choices.filter((choice) => !value.includes(choice.value));

  function addTyped() {
    const one = text.trim();
    setText("");
    if (one !== "" && !value.includes(one)) onChange([...value, one]);
  }

  function remove(one: string) {
    onChange(value.filter((other) => other !== one));
    // The button disappears and takes the focus with it, so the focus moves.
    adding.current?.querySelector<HTMLElement>("select, input")?.focus();
  }

  return (
    <Field {...field} group>
      {({ "aria-invalid": invalid }) => (
        <div className="flex min-w-0 flex-col gap-2">
          {value.length > 0 && (
            <ul aria-label={field.label} className="flex flex-col divide-y rounded-md border">
              {value.map((one) => (
                <li key={one} className="flex min-w-0 items-start justify-between gap-2 py-1 pr-1 pl-2.5">
                  <div className="min-w-0 flex-1 break-words py-1 text-13">{show(one)}</div>
                  <IconButton icon={X} label={`Remove ${labelOf(one)}`} onClick={() => remove(one)} />
                </li>
              ))}
            </ul>
          )}
          {find}
          <div ref={adding} className="flex flex-wrap gap-2">
            {others.length > 0 && (
              <Select
                aria-label={add}
                aria-invalid={invalid}
                className="min-w-52 flex-1"
                options={[{ value: "", label: add }, ...others]}
                value=""
                onChange={(one) => onChange([...value, one])}
              />
            )}
            {typed && (
              <span className="flex min-w-52 flex-1 gap-2">
                <Input
                  aria-label={typed}
                  aria-invalid={invalid}
                  placeholder={typed}
                  autoComplete="off"
                  spellCheck={false}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  // Typed text counts even if the person does not press the button.
                  onBlur={addTyped}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter") return;
                    event.preventDefault();
                    addTyped();
                  }}
                />
                <Button aria-label={`Add to ${field.label}`} onClick={addTyped}>
                  Add
                </Button>
              </span>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}
