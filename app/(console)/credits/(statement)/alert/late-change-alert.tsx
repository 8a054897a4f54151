"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** Loads `ChangeAlert` in the browser only: a side modal is never part of the document. */
export const LateChangeAlert = inBrowser(() =>
  import("#app/(console)/credits/(statement)/alert/change-alert.tsx").then(({ ChangeAlert }) => ChangeAlert),
);
