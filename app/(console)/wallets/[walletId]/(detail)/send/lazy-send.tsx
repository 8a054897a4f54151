"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `Send`, a side modal, loaded after the scripts of the page below it. */
export const LazySend = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/(detail)/send/send.tsx").then(({ Send }) => Send),
);
