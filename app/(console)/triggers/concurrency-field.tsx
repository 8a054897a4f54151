"use client";

import { Plus, X } from "lucide-react";
import { useContext, useId } from "react";
import type { ConcurrencyRow } from "#app/(console)/triggers/flow-values.ts";
import { Field } from "#components/form/field.tsx";
import { ServerIssues } from "#components/form/server-issues.ts";
import { type FieldOf, issueOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Issue } from "#components/ui/problem.ts";
import { type Option, Select } from "#components/ui/select.tsx";

const MAX_ROWS = 3;

const holds: readonly Option<ConcurrencyRow["hold"]>[] = [
  { value: "running", label: "gives way while it waits" },
  { value: "live", label: "keeps its place" },
];

/** Edits the keys that limit how many runs execute at once, each with its own fault. */
export function ConcurrencyField({
  name,
  value: rows,
  onChange,
  issues,
}: FieldOf<ConcurrencyRow[]> & { issues: readonly Issue[] }) {
  const all = [...issues, ...useContext(ServerIssues)];
  const edit = (at: number, change: Partial<ConcurrencyRow>) =>
    onChange(rows.map((row, place) => (place === at ? { ...row, ...change } : row)));

  return (
    <Field
      // Faults are shown at their rows; below are only those of the whole list.
      name={`${name}-keys`}
      label="Concurrency keys"
      optional
      error={all.find(({ path }) => path === name)?.message}
      group
      hint="Runs with the same key, of this trigger or others, share its places; a run begins once all its keys have one."
    >
      {() => (
        <div className="flex flex-col items-start gap-2">
          {rows.map((row, at) => (
            <KeyFields
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are controlled, and have no other identity.
              key={at}
              nth={at + 1}
              row={row}
              fault={issueOf(`${name}.${at}`, all)}
              onEdit={(change) => edit(at, change)}
              onRemove={() => onChange(rows.filter((_, place) => place !== at))}
            />
          ))}
          {rows.length < MAX_ROWS && (
            <Button size="sm" onClick={() => onChange([...rows, { key: "", limit: 1, hold: "running" }])}>
              <Plus aria-hidden className="size-4" />
              Add key
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function KeyFields({
  nth,
  row: { key, limit, hold },
  fault,
  onEdit,
  onRemove,
}: {
  nth: number;
  row: ConcurrencyRow;
  fault: string | undefined;
  onEdit: (change: Partial<ConcurrencyRow>) => void;
  onRemove: () => void;
}) {
  const faultId = useId();
  const control = {
    "aria-invalid": fault ? (true as const) : undefined,
    "aria-describedby": fault && faultId,
  };
  return (
    <div className="flex w-full flex-col gap-1">
      <div className="flex w-full flex-wrap items-center gap-2">
        <Input
          {...control}
          aria-label={`Key ${nth}`}
          className="w-auto min-w-32 flex-1"
          placeholder="crm-api"
          spellCheck={false}
          autoComplete="off"
          value={key}
          onChange={(event) => onEdit({ key: event.target.value })}
        />
        <Input
          {...control}
          aria-label={`Key ${nth}: runs at once`}
          className="w-20"
          type="number"
          inputMode="numeric"
          min={1}
          value={limit ?? ""}
          onChange={(event) =>
            onEdit({ limit: event.target.value === "" ? null : event.target.valueAsNumber })
          }
        />
        <Select
          aria-label={`Key ${nth}: a run that waits`}
          className="w-52 shrink-0"
          options={holds}
          value={hold}
          onChange={(hold) => onEdit({ hold })}
        />
        <IconButton icon={X} label={`Remove key ${nth}`} onClick={onRemove} />
      </div>
      {fault && (
        <p id={faultId} className="text-13 text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
