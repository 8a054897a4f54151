"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewSwap`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewSwap = inBrowser(() =>
  import("#app/(console)/swaps/(list)/new/new-swap.tsx").then(({ NewSwap }) => NewSwap),
);
