"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** The panel, loaded after the list's scripts, since it is never rendered on the server. */
export const LateApprovalPanel = inBrowser(() =>
  import("#app/(console)/approvals/(list)/[approvalId]/approval-panel.tsx").then(
    ({ ApprovalPanel }) => ApprovalPanel,
  ),
);
