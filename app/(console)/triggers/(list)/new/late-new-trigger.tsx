"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewTrigger`, a side modal, which is never in the document: its scripts come after those of the page below it. */
export const LateNewTrigger = inBrowser(() =>
  import("#app/(console)/triggers/(list)/new/new-trigger.tsx").then(({ NewTrigger }) => NewTrigger),
);
