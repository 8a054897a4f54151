"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewTrigger`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewTrigger = inBrowser(() =>
  import("#app/(console)/triggers/(list)/new/new-trigger.tsx").then(({ NewTrigger }) => NewTrigger),
);
