"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** Loads `EditPolicy` in the browser only, after the page below it: a side modal is never part of the document. */
export const LateEditPolicy = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/(detail)/policy/edit-policy.tsx").then(
    ({ EditPolicy }) => EditPolicy,
  ),
);
