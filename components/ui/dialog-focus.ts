"use client";

import { useRef } from "react";

/**
 * Where the focus goes, for the content of every dialog: to its first field rather than to the button that closes it,
 * and back to what opened it (Radix returns it to its own triggers only, and our dialogs open by address or state).
 */
export function useDialogFocus() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = openerOf(document.activeElement);
      const content = event.currentTarget as HTMLElement;
      const field = content.querySelector<HTMLElement>("input:enabled, select:enabled, textarea:enabled");
      if (!field) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      opener.current?.focus();
    },
  };
}

/** What had the focus; for an item of a menu that closes, the button of that menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  if (menu) return document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  return focused instanceof HTMLElement ? focused : null;
}
