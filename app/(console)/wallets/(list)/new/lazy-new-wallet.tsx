"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewWallet`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewWallet = inBrowser(() =>
  import("#app/(console)/wallets/(list)/new/new-wallet.tsx").then(({ NewWallet }) => NewWallet),
);
