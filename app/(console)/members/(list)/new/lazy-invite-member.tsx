"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `InviteMember`, a side modal, loaded after the scripts of the page below it. */
export const LazyInviteMember = inBrowser(() =>
  import("#app/(console)/members/(list)/new/invite-member.tsx").then(({ InviteMember }) => InviteMember),
);
