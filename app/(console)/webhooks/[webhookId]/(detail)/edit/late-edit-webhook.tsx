"use client";

import dynamic from "next/dynamic";

/** `EditWebhook`, a side modal, which is never in the document: its scripts come after those of the page below it. */
export const LateEditWebhook = dynamic(
  () =>
    import("#app/(console)/webhooks/[webhookId]/(detail)/edit/edit-webhook.tsx").then(
      ({ EditWebhook }) => EditWebhook,
    ),
  { ssr: false },
);
