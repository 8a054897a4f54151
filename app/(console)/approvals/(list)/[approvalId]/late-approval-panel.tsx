"use client";

import dynamic from "next/dynamic";

/** The panel, which is never in the document: its scripts are not asked for with the list's. */
export const LateApprovalPanel = dynamic(
  () =>
    import("#app/(console)/approvals/(list)/[approvalId]/approval-panel.tsx").then(
      ({ ApprovalPanel }) => ApprovalPanel,
    ),
  { ssr: false },
);
