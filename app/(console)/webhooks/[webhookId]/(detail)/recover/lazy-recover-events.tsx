"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `RecoverEvents`, a side modal, loaded after the scripts of the page below it. */
export const LazyRecoverEvents = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/(detail)/recover/recover-events.tsx").then(
    ({ RecoverEvents }) => RecoverEvents,
  ),
);
