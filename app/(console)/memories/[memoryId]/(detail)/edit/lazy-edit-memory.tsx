"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `EditMemory`, a side modal, loaded after the scripts of the page below it. */
export const LazyEditMemory = inBrowser(() =>
  import("#app/(console)/memories/[memoryId]/(detail)/edit/edit-memory.tsx").then(
    ({ EditMemory }) => EditMemory,
  ),
);
