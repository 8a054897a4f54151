"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";

/** The actions on the selected rows: `<SelectionBar selection={selection}><Button …>Revoke</Button></SelectionBar>`. */
export function SelectionBar({
  selection: { chosen, clear },
  children,
}: {
  selection: { chosen: ReadonlyMap<string, unknown>; clear: () => void };
  children: ReactNode;
}) {
  if (chosen.size === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Chosen rows"
      className="sticky top-14 z-30 flex flex-wrap items-center gap-2 rounded-md border bg-raised px-3 py-2 text-13 shadow-float"
    >
      <span role="status" className="mr-2 font-medium">
        {chosen.size === 1 ? "1 is chosen" : `${chosen.size} are chosen`}
      </span>
      {children}
      <Button size="sm" variant="ghost" onClick={clear}>
        Choose none
      </Button>
    </div>
  );
}
