"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `DeliveryPanel`, a side modal, loaded after the scripts of the page below it. */
export const LazyDeliveryPanel = inBrowser(() =>
  import("#app/(console)/webhooks/[webhookId]/delivery-panel.tsx").then(({ DeliveryPanel }) => DeliveryPanel),
);
