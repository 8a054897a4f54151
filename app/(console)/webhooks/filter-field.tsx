"use client";

import { Plus, X } from "lucide-react";
import { useContext, useId } from "react";
import { type ConditionRow, operators } from "#app/(console)/webhooks/conditions.ts";
import { Field } from "#components/form/field.tsx";
import { ServerIssues } from "#components/form/server-issues.ts";
import { type FieldOf, issueOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Issue } from "#components/ui/problem.ts";
import { type Option, Select } from "#components/ui/select.tsx";

const presence: readonly Option[] = [
  { value: "", label: "yes" },
  { value: "false", label: "no" },
];

const PLACEHOLDERS: Partial<Record<ConditionRow["op"], string>> = { in: "failed, expired" };

/** Edits conditions on an event's body, each with its own fault. `paths`: the fields that the chosen events have. */
export function FilterField({
  name,
  value: rows,
  onChange,
  issues,
  paths,
}: FieldOf<ConditionRow[]> & { issues: readonly Issue[]; paths: readonly string[] }) {
  const known = useId();
  const all = [...issues, ...useContext(ServerIssues)];
  const whole = all.find(({ path }) => path === name)?.message;
  const edit = (at: number, change: Partial<ConditionRow>) =>
    onChange(rows.map((row, place) => (place === at ? { ...row, ...change } : row)));

  return (
    <Field
      // Faults are shown at their rows; below are only those of the whole list.
      name={`${name}-conditions`}
      label="Conditions"
      optional
      error={whole}
      group
      hint="An event is sent if all conditions hold. Numbers compare by their value."
    >
      {() => (
        <div className="flex flex-col items-start gap-2">
          <datalist id={known}>
            {paths.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          {rows.map((row, at) => (
            <ConditionFields
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are controlled, and have no other identity.
              key={at}
              nth={at + 1}
              row={row}
              known={known}
              fault={issueOf(`${name}.${at}`, all)}
              onEdit={(change) => edit(at, change)}
              onRemove={() => onChange(rows.filter((_, place) => place !== at))}
            />
          ))}
          <Button size="sm" onClick={() => onChange([...rows, { path: "", op: "eq", value: "" }])}>
            <Plus aria-hidden className="size-4" />
            Add condition
          </Button>
        </div>
      )}
    </Field>
  );
}

function ConditionFields({
  nth,
  row: { path, op, value },
  known,
  fault,
  onEdit,
  onRemove,
}: {
  nth: number;
  row: ConditionRow;
  /** The id of the datalist of known fields. */
  known: string;
  fault: string | undefined;
  onEdit: (change: Partial<ConditionRow>) => void;
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
          aria-label={`Condition ${nth}: field`}
          className="font-mono"
          placeholder="data.run.status"
          list={known}
          spellCheck={false}
          autoComplete="off"
          value={path}
          onChange={(event) => onEdit({ path: event.target.value })}
        />
        <Select
          aria-label={`Condition ${nth}: comparison`}
          className="w-36 shrink-0"
          options={operators}
          value={op}
          onChange={(op) => onEdit({ op, value: "", stored: undefined })}
        />
        {op === "exists" ? (
          <Select
            aria-label={`Condition ${nth}: value`}
            className="flex-1"
            options={presence}
            value={value}
            onChange={(value) => onEdit({ value })}
          />
        ) : (
          <Input
            {...control}
            aria-label={`Condition ${nth}: value`}
            className="w-auto flex-1"
            placeholder={PLACEHOLDERS[op] ?? "failed"}
            value={value}
            onChange={(event) => onEdit({ value: event.target.value })}
          />
        )}
        <IconButton icon={X} label={`Remove condition ${nth}`} onClick={onRemove} />
      </div>
      {fault && (
        <p id={faultId} className="text-13 text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
