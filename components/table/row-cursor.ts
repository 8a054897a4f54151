"use client";

import { type RefObject, useEffect } from "react";
import { isShortcut } from "#components/ui/keys.ts";

/**
 * Moves the focus through the rows' links with `j` and `k`, and selects a row with `x`; the focused link itself handles
 * `Enter`.
 */
export function useRowCursor(table: RefObject<HTMLTableElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!["j", "k", "x"].includes(event.key) || !isShortcut(event) || !table.current) return;
      if (table.current !== activeTable()) return;
      if (event.key === "x") {
        const row = document.activeElement?.closest("tr");
        return row?.querySelector<HTMLInputElement>("[data-select]")?.click();
      }
      const rows = [...table.current.querySelectorAll<HTMLElement>("[data-row]")];
      const at = rows.findIndex((row) => row.closest("tr")?.contains(document.activeElement));
      const next = rows[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
      next?.focus();
      next?.closest("tr")?.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [table]);
}

/** Returns the table that has the focus, otherwise the first one on the page. */
function activeTable(): Element | null {
  const focused = document.activeElement?.closest("[data-cursor]");
  return focused ?? document.querySelector("[data-cursor]");
}
