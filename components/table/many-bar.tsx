"use client";

import { type ReactNode, useState } from "react";
import { ManyDialog } from "#components/table/many-dialog.tsx";
import type { Outcome } from "#components/table/many-dialog-open.tsx";
import { SelectionBar } from "#components/table/selection-bar.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { Button } from "#components/ui/button.tsx";
import { readProblem } from "#components/ui/problem.ts";

/** An action with the rows that it can be executed on. */
type BulkAction = {
  verb: string;
  label: string;
  danger: boolean;
  text: ReactNode;
  items: readonly { id: string; name: string; note: ReactNode; act: () => Promise<unknown> }[];
};

/** The bar and the dialog behind `Many`. The rows are changed one after the other, so that each has its own result. */
export function ManyBar({
  selection,
  counted,
  actions,
  refresh,
}: {
  selection: Pick<Selection<unknown>, "chosen" | "clear" | "drop">;
  counted: (count: number) => string;
  actions: readonly BulkAction[];
  refresh: () => Promise<unknown>;
}) {
  const [asked, setAsked] = useState("");
  // Found anew with each render, because its text may contain controls.
  const asking = actions.find(({ verb }) => verb === asked);

  async function actOn(
    { items }: BulkAction,
    ids: readonly string[],
    report: (id: string, outcome: Outcome) => void,
  ) {
    for (const id of ids) {
      const item = items.find((each) => each.id === id);
      const problem = item
        ? await item.act().then(
            () => null,
            (reason: unknown) => readProblem(reason).message,
          )
        : "It has changed meanwhile. Nothing was done.";
      report(id, { problem });
    }
  }

  async function close(done: string[] | null) {
    setAsked("");
    if (!done) return;
    selection.drop(done);
    await refresh();
  }

  return (
    <>
      <SelectionBar selection={selection}>
        {actions.map((action) => (
          <Button
            key={action.verb}
            size="sm"
            variant={action.danger ? "danger" : "secondary"}
            disabled={action.items.length === 0}
            onClick={() => setAsked(action.verb)}
          >
            {`${action.label} ${counted(action.items.length)}`}
          </Button>
        ))}
      </SelectionBar>
      {asking && (
        <ManyDialog
          title={`${asking.label} ${counted(asking.items.length)}?`}
          verb={asking.verb}
          danger={asking.danger}
          items={asking.items}
          act={(ids, report) => actOn(asking, ids, report)}
          onClose={close}
        >
          {asking.text}
        </ManyDialog>
      )}
    </>
  );
}
