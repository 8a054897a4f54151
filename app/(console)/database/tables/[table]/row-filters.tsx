"use client";

import { X } from "lucide-react";
import { useState } from "react";
import {
  type Filter,
  type Operator,
  operators,
  takesValue,
  type View,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";

const labelOf = (operator: Operator) => operators.find(({ value }) => value === operator)?.label ?? operator;

/** The conditions on rows, all of which must hold. */
export function RowFilters({
  view: { table, filters },
  onChange,
}: {
  view: View;
  onChange: (filters: Filter[]) => void;
}) {
  const [column, setColumn] = useState(table.columns[0]?.name ?? "");
  const [operator, setOperator] = useState<Operator>("eq");
  const [value, setValue] = useState("");
  return (
    <div className="flex min-w-0 flex-col gap-2 max-sm:w-full">
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onChange([...filters, { column, operator, value: takesValue(operator) ? value : "" }]);
          setValue("");
        }}
      >
        <Select
          aria-label="Column to filter"
          className="w-32 max-sm:min-w-24 max-sm:flex-1"
          options={table.columns.map(({ name }) => ({ value: name, label: name }))}
          value={column}
          onChange={setColumn}
        />
        <Select
          aria-label="Condition"
          className="w-32 max-sm:min-w-24 max-sm:flex-1"
          options={operators}
          value={operator}
          onChange={setOperator}
        />
        {takesValue(operator) && (
          <span className="w-32 max-sm:w-auto max-sm:min-w-24 max-sm:flex-1">
            <Input
              aria-label="Value to compare with"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          </span>
        )}
        <Button type="submit">Add filter</Button>
      </form>
      {filters.length > 0 && (
        <ul aria-label="Filters" className="flex flex-wrap gap-2">
          {filters.map((filter, place) => {
            const words = `${filter.column} ${labelOf(filter.operator)}${takesValue(filter.operator) ? ` ${filter.value || "empty"}` : ""}`;
            return (
              <li
                key={JSON.stringify(filter)}
                className="flex max-w-full items-center gap-1 rounded-md border bg-sunken pl-2 text-13"
              >
                <span className="min-w-0 truncate" title={words}>
                  {words}
                </span>
                <IconButton
                  icon={X}
                  label={`Remove filter ${words}`}
                  onClick={() => onChange(filters.filter((_, other) => other !== place))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
