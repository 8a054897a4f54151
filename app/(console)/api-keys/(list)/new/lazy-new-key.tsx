"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewKey`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewKey = inBrowser(() =>
  import("#app/(console)/api-keys/(list)/new/new-key.tsx").then(({ NewKey }) => NewKey),
);
