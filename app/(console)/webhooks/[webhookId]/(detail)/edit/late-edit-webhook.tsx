"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditWebhook`, a side modal, which is never in the document: its scripts come after those of the page below it. */
export const LateEditWebhook = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/(detail)/edit/edit-webhook.tsx").then(
    ({ EditWebhook }) => EditWebhook,
  ),
);
