"use client";

import { useState } from "react";
import type { Approval } from "#app/(console)/approvals/words.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

const DecisionDialog = inBrowser(() =>
  import("#app/(console)/approvals/decision-dialog.tsx").then(({ DecisionDialog }) => DecisionDialog),
);

type Decision = "approve" | "reject";

/** Deciding an approval, which says first what will happen: `ask("approve")`, and the dialog. */
export function useDeciding(approval: Approval) {
  /** A dialog of its own for each time it is asked: with no reason and no error yet. */
  const [asked, setAsked] = useState<{ decision: Decision; nth: number } | null>(null);
  const [open, setOpen] = useState(false);
  return {
    ask(decision: Decision) {
      setAsked({ decision, nth: (asked?.nth ?? 0) + 1 });
      setOpen(true);
    },
    dialog: asked && (
      <DecisionDialog
        key={asked.nth}
        approval={approval}
        decision={asked.decision}
        open={open}
        onOpenChange={setOpen}
      />
    ),
  };
}
