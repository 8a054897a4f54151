"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `Sign`, a side modal, loaded after the scripts of the page below it. */
export const LazySign = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/(detail)/sign/sign.tsx").then(({ Sign }) => Sign),
);
