"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewConnection`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewConnection = inBrowser(() =>
  import("#app/(console)/connections/(list)/new/new-connection.tsx").then(
    ({ NewConnection }) => NewConnection,
  ),
);
