"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ApprovalPanel`, loaded after the scripts of the list beside it. */
export const LazyApprovalPanel = inBrowser(() =>
  import("#app/(console)/approvals/(list)/[approvalId]/approval-panel.tsx").then(
    ({ ApprovalPanel }) => ApprovalPanel,
  ),
);
