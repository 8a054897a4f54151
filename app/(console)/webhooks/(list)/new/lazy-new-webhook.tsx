"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewWebhook`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewWebhook = inBrowser(() =>
  import("#app/(console)/webhooks/(list)/new/new-webhook.tsx").then(({ NewWebhook }) => NewWebhook),
);
