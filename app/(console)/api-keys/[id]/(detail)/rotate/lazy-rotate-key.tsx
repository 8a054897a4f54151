"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `RotateKey`, a side modal, loaded after the scripts of the page below it. */
export const LazyRotateKey = inBrowser(() =>
  import("#app/(console)/api-keys/[id]/(detail)/rotate/rotate-key.tsx").then(({ RotateKey }) => RotateKey),
);
