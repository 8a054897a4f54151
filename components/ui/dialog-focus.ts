"use client";

import { useRef } from "react";

/**
 * Moves the focus when a dialog opens, to its first field instead of its close button, and back to the opener when it
 * closes. Radix returns the focus only to its own triggers, and our dialogs open by address or state.
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

/** Returns the element that had the focus; for an item of a closing menu, that menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  if (menu) return document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  return focused instanceof HTMLElement ? focused : null;
}
