"use client";

import dynamic from "next/dynamic";

/** `RotateKey`, a side modal, which is never in the document: its scripts come after those of the page below it. */
export const LateRotateKey = dynamic(
  () =>
    import("#app/(console)/api-keys/[id]/(detail)/rotate/rotate-key.tsx").then(({ RotateKey }) => RotateKey),
  { ssr: false },
);
