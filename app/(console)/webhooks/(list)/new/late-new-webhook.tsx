"use client";

import dynamic from "next/dynamic";

/** `NewWebhook`, a side modal, which is never in the document: its scripts come after those of the page below it. */
export const LateNewWebhook = dynamic(
  () => import("#app/(console)/webhooks/(list)/new/new-webhook.tsx").then(({ NewWebhook }) => NewWebhook),
  { ssr: false },
);
