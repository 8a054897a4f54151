"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditWebhook`, a side modal, loaded after the scripts of the page below it. */
export const LazyEditWebhook = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/(detail)/edit/edit-webhook.tsx").then(
    ({ EditWebhook }) => EditWebhook,
  ),
);
