"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewSwap`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateNewSwap = inBrowser(() =>
  import("#app/(console)/swaps/(list)/new/new-swap.tsx").then(({ NewSwap }) => NewSwap),
);
