"use client";

import { useEffect } from "react";
import { places } from "#components/routes.ts";
import { isShortcut } from "#components/ui/keys.ts";
import { mayGoTo } from "#components/ui/leaving.ts";
import { useRouter } from "#components/ui/use-router.ts";

const sequenceMs = 1_000;
const byKey = new Map(places.flat().map(({ key, path }) => [key, path]));

/** `⌘K` or `Ctrl K` opens the palette, `/` goes to the search, `g` and a letter to a page. */
export function useShortcuts(openPalette: () => void): void {
  const router = useRouter();
  useEffect(() => {
    let goUntil = 0;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        if (!document.querySelector("[data-persistent]")) openPalette();
        return;
      }
      if (!isShortcut(event)) return;
      const path = event.timeStamp < goUntil ? byKey.get(event.key) : undefined;
      goUntil = event.key === "g" && !path ? event.timeStamp + sequenceMs : 0;
      if (path) return mayGoTo(path) && router.push(path);
      if (event.key !== "/") return;
      event.preventDefault();
      const search = document.querySelector<HTMLElement>("main [data-search]");
      search ? search.focus() : openPalette();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [router, openPalette]);
}
