"use client";

import { type ReactNode, useState } from "react";
import { ManyDialog, type Outcome } from "#components/table/many-dialog.tsx";
import { SelectionBar } from "#components/table/selection-bar.tsx";
import { Button } from "#components/ui/button.tsx";
import { readProblem } from "#components/ui/problem.ts";

/** An action with the rows that it can be executed on. */
type Offer = {
  verb: string;
  danger: boolean;
  text: string;
  items: readonly { id: string; name: string; note: ReactNode; act: () => Promise<unknown> }[];
};

/** The bar and the dialog behind `Many`. The rows are changed one after the other, so that each has its own result. */
export function ManyBar({
  selection,
  counted,
  offers,
  refresh,
}: {
  selection: { chosen: ReadonlyMap<string, unknown>; clear: () => void };
  counted: (count: number) => string;
  offers: readonly Offer[];
  refresh: () => Promise<unknown>;
}) {
  const [asking, setAsking] = useState<Offer | null>(null);

  async function actOn({ items }: Offer, report: (id: string, outcome: Outcome) => void) {
    for (const { id, act } of items)
      await act().then(
        () => report(id, { problem: null }),
        (reason: unknown) => report(id, { problem: readProblem(reason).message }),
      );
  }

  async function close() {
    selection.clear();
    await refresh();
  }

  return (
    <>
      <SelectionBar selection={selection}>
        {offers.map((offer) => (
          <Button
            key={offer.verb}
            size="sm"
            variant={offer.danger ? "danger" : "secondary"}
            disabled={offer.items.length === 0}
            onClick={() => setAsking(offer)}
          >
            {`${offer.verb} ${counted(offer.items.length)}`}
          </Button>
        ))}
      </SelectionBar>
      {asking && (
        <ManyDialog
          title={`${asking.verb} ${counted(asking.items.length)}?`}
          verb={asking.verb}
          danger={asking.danger}
          items={asking.items}
          act={(_, report) => actOn(asking, report)}
          onClose={close}
        >
          {asking.text}
        </ManyDialog>
      )}
    </>
  );
}
