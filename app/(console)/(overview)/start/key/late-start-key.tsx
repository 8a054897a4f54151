"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `StartKey`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateStartKey = inBrowser(() =>
  import("#app/(console)/(overview)/start/key/start-key.tsx").then(({ StartKey }) => StartKey),
);
