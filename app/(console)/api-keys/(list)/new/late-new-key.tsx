"use client";

import dynamic from "next/dynamic";

/** `NewKey`, which is a side modal and so never in the document: its scripts come after those of the page below it. */
export const LateNewKey = dynamic(
  () => import("#app/(console)/api-keys/(list)/new/new-key.tsx").then(({ NewKey }) => NewKey),
  { ssr: false },
);
