"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ChangeAlert`, a side modal, loaded after the scripts of the page below it. */
export const LazyChangeAlert = inBrowser(() =>
  import("#app/(console)/credits/(statement)/alert/change-alert.tsx").then(({ ChangeAlert }) => ChangeAlert),
);
