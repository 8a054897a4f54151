"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ChangeRole`, a side modal, loaded after the scripts of the page below it. */
export const LazyChangeRole = inBrowser(() =>
  import("#app/(console)/members/(list)/[memberId]/role/change-role.tsx").then(
    ({ ChangeRole }) => ChangeRole,
  ),
);
