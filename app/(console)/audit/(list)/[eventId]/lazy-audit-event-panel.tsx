"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `AuditEventPanel`, loaded after the scripts of the list beside it. */
export const LazyAuditEventPanel = inBrowser(() =>
  import("#app/(console)/audit/(list)/[eventId]/audit-event-panel.tsx").then(
    ({ AuditEventPanel }) => AuditEventPanel,
  ),
);
