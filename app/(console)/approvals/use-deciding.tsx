"use client";

import { useState } from "react";
import type { Approval } from "#app/(console)/approvals/words.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

const DecisionDialog = inBrowser(() =>
  import("#app/(console)/approvals/decision-dialog.tsx").then(({ DecisionDialog }) => DecisionDialog),
);

type Decision = "approve" | "reject";

/** Returns `ask("approve")`, which opens a dialog that lists the consequences, and that dialog. */
export function useDeciding(approval: Approval) {
  /** `nth` gives each opening a new dialog without an earlier reason or error. */
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
