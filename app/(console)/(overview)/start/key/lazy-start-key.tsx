"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `StartKey`, a side modal, loaded after the scripts of the page below it. */
export const LazyStartKey = inBrowser(() =>
  import("#app/(console)/(overview)/start/key/start-key.tsx").then(({ StartKey }) => StartKey),
);
