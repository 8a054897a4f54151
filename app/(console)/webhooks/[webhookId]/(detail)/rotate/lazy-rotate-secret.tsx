"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `RotateSecret`, a side modal, loaded after the scripts of the page below it. */
export const LazyRotateSecret = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/(detail)/rotate/rotate-secret.tsx").then(
    ({ RotateSecret }) => RotateSecret,
  ),
);
