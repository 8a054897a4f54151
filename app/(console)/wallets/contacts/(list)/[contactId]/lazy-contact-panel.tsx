"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ContactPanel`, a side modal, loaded after the scripts of the list below it. */
export const LazyContactPanel = inBrowser(() =>
  import("#app/(console)/wallets/contacts/(list)/[contactId]/contact-panel.tsx").then(
    ({ ContactPanel }) => ContactPanel,
  ),
);
