"use client";

import { type ReactNode, Suspense, useCallback, useState } from "react";

/** Content that is rendered once a person opens it: `<Details summary="Show the numbers">{…}</Details>`. */
export function Details({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  // The person may have opened it before the page's scripts had loaded.
  const noticeOpened = useCallback((details: HTMLDetailsElement | null) => {
    if (details?.open) setOpened(true);
  }, []);
  return (
    <details className="text-13" ref={noticeOpened} onToggle={() => setOpened(true)}>
      <summary className="w-fit rounded-md text-muted hover:text-ink">{summary}</summary>
      {opened && <Suspense>{children}</Suspense>}
    </details>
  );
}
