"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ChangeAlert`, which is a side modal and so never in the document. */
export const LateChangeAlert = inBrowser(() =>
  import("#app/(console)/credits/(statement)/alert/change-alert.tsx").then(({ ChangeAlert }) => ChangeAlert),
);
