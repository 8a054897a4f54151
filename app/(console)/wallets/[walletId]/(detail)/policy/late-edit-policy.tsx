"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditPolicy`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateEditPolicy = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/(detail)/policy/edit-policy.tsx").then(
    ({ EditPolicy }) => EditPolicy,
  ),
);
