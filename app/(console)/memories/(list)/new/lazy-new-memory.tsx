"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewMemory`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewMemory = inBrowser(() =>
  import("#app/(console)/memories/(list)/new/new-memory.tsx").then(({ NewMemory }) => NewMemory),
);
