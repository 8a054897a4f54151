"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewContact`, a side modal, loaded after the scripts of the list below it. */
export const LazyNewContact = inBrowser(() =>
  import("#app/(console)/wallets/contacts/(list)/new/new-contact.tsx").then(({ NewContact }) => NewContact),
);
