"use client";

import { useEffect } from "react";

/** Has the browser show a page of the console's own where one is opened while the server can't be reached. */
export function OfflinePage() {
  useEffect(() => {
    // Without it, as in a private window, the browser's own error page is shown.
    void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined);
  }, []);
  return null;
}
