"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** The panel, loaded after the list's scripts, since it is never rendered on the server. */
export const LateAuditEventPanel = inBrowser(() =>
  import("#app/(console)/audit/(list)/[eventId]/audit-event-panel.tsx").then(
    ({ AuditEventPanel }) => AuditEventPanel,
  ),
);
