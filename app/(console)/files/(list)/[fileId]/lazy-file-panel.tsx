"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `FilePanel`, loaded after the scripts of the list beside it. */
export const LazyFilePanel = inBrowser(() =>
  import("#app/(console)/files/(list)/[fileId]/file-panel.tsx").then(({ FilePanel }) => FilePanel),
);
