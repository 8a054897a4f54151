"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewWallet`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateNewWallet = inBrowser(() =>
  import("#app/(console)/wallets/(list)/new/new-wallet.tsx").then(({ NewWallet }) => NewWallet),
);
