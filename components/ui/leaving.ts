"use client";

import { onlineManager } from "@tanstack/react-query";
import { useEffect } from "react";
import { agreeToDiscard } from "#components/ui/typed.ts";

/** Returns the link that a click follows away from the page; null if it opens elsewhere or scrolls. */
export function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey;
  if (!(link instanceof HTMLAnchorElement) || elsewhere || link.target === "_blank" || link.download)
    return null;
  if (link.origin !== window.location.origin || link.getAttribute("href")?.startsWith("#")) return null;
  return link;
}

/** True if the page stays open below the address: a side modal opens over it, or only its search part changes. */
export function staysOpen(here: URL, next: URL): boolean {
  const isOver = next.pathname === here.pathname || next.pathname.startsWith(`${here.pathname}/`);
  // Another project has a document of its own.
  return isOver && next.searchParams.get("projectId") === here.searchParams.get("projectId");
}

/** Returns whether the person may go there: asks them first if the page holds typed text that would be lost. */
export function mayGoTo(href: string): boolean {
  const here = new URL(window.location.href);
  // Without the server nothing navigates.
  return !onlineManager.isOnline() || staysOpen(here, new URL(href, here)) || agreeToDiscard();
}

/** Asks before a link discards typed text. */
export function useAskBeforeLeaving(): void {
  useEffect(() => {
    function ask(event: MouseEvent) {
      const link = linkOf(event);
      if (!link || mayGoTo(link.href)) return;
      event.preventDefault();
      event.stopPropagation();
    }
    // In the capture phase, before the router.
    document.addEventListener("click", ask, true);
    return () => document.removeEventListener("click", ask, true);
  }, []);
}
