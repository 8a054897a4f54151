"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** The panel, which is never in the document: its scripts are not asked for with the list's. */
export const LateAuditEventPanel = inBrowser(() =>
  import("#app/(console)/audit/(list)/[eventId]/audit-event-panel.tsx").then(
    ({ AuditEventPanel }) => AuditEventPanel,
  ),
);
