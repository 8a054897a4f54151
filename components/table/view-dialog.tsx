"use client";

import type { ViewColumn } from "#components/table/column.ts";
import { keepColumns, keepSettings } from "#components/table/keep-settings.ts";
import type { TableView } from "#components/table/use-list.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { Select } from "#components/ui/select.tsx";

const densities = [
  { value: "", label: "Roomy rows" },
  { value: "dense", label: "Dense rows" },
];

/** Chooses columns, density and, on screens without clickable headers, the order. Changes take effect at once. */
export function ViewDialog({
  view,
  columns,
  onClose,
}: {
  view: TableView;
  columns: readonly ViewColumn[];
  onClose: () => void;
}) {
  const [name, ...others] = columns;
  const sortable = columns.flatMap(({ header, sort }) => (sort ? [{ header, sort }] : []));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Columns"
      footer={
        <>
          <Button
            onClick={() => {
              keepColumns(view.list, {});
              view.setSort("");
            }}
          >
            As at first
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Segments
        label="Density"
        options={densities}
        value={view.dense ? "dense" : ""}
        onChange={(value) => keepSettings({ dense: value === "dense" })}
      />
      {sortable.length > 0 && (
        <Select
          aria-label="Order"
          options={view.numbers ? numberOrdersOf(sortable) : ordersOf(sortable)}
          value={view.sort}
          onChange={view.setSort}
        />
      )}
      <fieldset>
        <legend className="mb-1 text-13 text-muted">{name?.header} and</legend>
        {others.map(({ header, optional }) => (
          <Checkbox
            key={header}
            label={header}
            checked={view.columns[header] ?? !optional}
            onChange={(event) => keepColumns(view.list, { ...view.columns, [header]: event.target.checked })}
          />
        ))}
      </fieldset>
    </Dialog>
  );
}

type Sortable = readonly { header: string; sort: string }[];

function numberOrdersOf(sortable: Sortable) {
  return [
    { value: "", label: "Usual order" },
    ...sortable.flatMap(({ header, sort }) => [
      { value: `-${sort}`, label: `${header}, largest first` },
      { value: sort, label: `${header}, smallest first` },
    ]),
  ];
}

function ordersOf(sortable: Sortable) {
  return [
    { value: "", label: "Newest first" },
    ...sortable.flatMap(({ header, sort }) =>
      sort === "createdAt"
        ? [{ value: sort, label: "Oldest first" }]
        : [
            { value: sort, label: `${header}, A to Z` },
            { value: `-${sort}`, label: `${header}, Z to A` },
          ],
    ),
  ];
}
