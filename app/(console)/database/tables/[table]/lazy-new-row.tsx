"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewRow`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewRow = inBrowser(() =>
  import("#app/(console)/database/tables/[table]/new-row.tsx").then(({ NewRow }) => NewRow),
);
