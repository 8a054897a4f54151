"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `CheckSignature`, a side modal, loaded after the scripts of the page below it. */
export const LazyCheckSignature = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/(detail)/check/check-signature.tsx").then(
    ({ CheckSignature }) => CheckSignature,
  ),
);
