"use client";

import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import { NO_KEY } from "#components/form/keyless.ts";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";

type Row = { id: number; key: string; value: string };

const lacksKey = ({ key, value }: Omit<Row, "id">) => key === "" && value !== "";

/**
 * A field for keys and values, such as metadata: `<KeyValueField label="Metadata" optional {...form.field("metadata")}
 * />`. Ignores empty rows; a form is not sent with a value that has no key.
 */
export function KeyValueField({ value, onChange, ...field }: FieldProps & FieldOf<Record<string, string>>) {
  const nextId = useRef(Object.keys(value).length);
  const [rows, setRows] = useState<Row[]>(() =>
    Object.entries(value).map(([key, value], id) => ({ id, key, value })),
  );

  function update(next: Row[]) {
    setRows(next);
    const filled = next.filter(({ key, value }) => key !== "" || value !== "");
    onChange(Object.fromEntries(filled.map(({ key, value }) => [key || NO_KEY, value])));
  }
  const edit = (id: number, change: Partial<Row>) =>
    update(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));

  return (
    <Field {...field} group>
      {(control) => (
        <div className="flex flex-col items-start gap-2">
          {rows.map(({ id, key, value }, index) => (
            <div key={id} className="flex w-full items-center gap-2">
              <Input
                aria-label={`${field.label}: key ${index + 1}`}
                aria-invalid={
                  rows.some(lacksKey) && !lacksKey({ key, value }) ? undefined : control["aria-invalid"]
                }
                placeholder="Key"
                value={key}
                onChange={(event) => edit(id, { key: event.target.value })}
              />
              <Input
                aria-label={`${field.label}: value ${index + 1}`}
                placeholder="Value"
                value={value}
                onChange={(event) => edit(id, { value: event.target.value })}
              />
              <IconButton
                icon={X}
                label={`Remove ${key || `row ${index + 1}`}`}
                onClick={() => update(rows.filter((row) => row.id !== id))}
              />
            </div>
          ))}
          <Button size="sm" onClick={() => setRows([...rows, { id: nextId.current++, key: "", value: "" }])}>
            <Plus aria-hidden className="size-4" />
            Add {field.label.toLowerCase()}
          </Button>
        </div>
      )}
    </Field>
  );
}
