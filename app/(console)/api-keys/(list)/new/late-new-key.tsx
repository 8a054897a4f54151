"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewKey`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateNewKey = inBrowser(() =>
  import("#app/(console)/api-keys/(list)/new/new-key.tsx").then(({ NewKey }) => NewKey),
);
