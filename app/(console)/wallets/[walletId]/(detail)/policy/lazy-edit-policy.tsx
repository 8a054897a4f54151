"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditPolicy`, a side modal, loaded after the scripts of the page below it. */
export const LazyEditPolicy = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/(detail)/policy/edit-policy.tsx").then(
    ({ EditPolicy }) => EditPolicy,
  ),
);
