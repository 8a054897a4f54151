"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditTrigger`, a side modal, loaded after the scripts of the page below it. */
export const LazyEditTrigger = inBrowser(() =>
  import("#app/(console)/triggers/[triggerId]/(detail)/edit/edit-trigger.tsx").then(
    ({ EditTrigger }) => EditTrigger,
  ),
);
