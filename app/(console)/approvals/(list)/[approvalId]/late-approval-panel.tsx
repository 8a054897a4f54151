"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** The panel, which is never in the document: its scripts are not asked for with the list's. */
export const LateApprovalPanel = inBrowser(() =>
  import("#app/(console)/approvals/(list)/[approvalId]/approval-panel.tsx").then(
    ({ ApprovalPanel }) => ApprovalPanel,
  ),
);
