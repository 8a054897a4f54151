"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `TransactionPanel`, a side modal, loaded after the scripts of the page below it. */
export const LazyTransactionPanel = inBrowser(() =>
  import("#app/(console)/wallets/[walletId]/transaction-panel.tsx").then(
    ({ TransactionPanel }) => TransactionPanel,
  ),
);
