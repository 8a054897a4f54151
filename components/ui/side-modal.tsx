"use client";

import type { SideModalProps } from "#components/ui/close-side-modal.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

/**
 * A side panel that is a route: its `page.tsx` renders it over the list, which is the layout, and closing it goes to
 * `parent`: `<SideModal title="Key" parent={routes.apiKeys()}>…</SideModal>`. Like every dialog it is rendered only in
 * the browser, so the document need not wait for its scripts.
 */
export const SideModal = inBrowser<SideModalProps>(() =>
  import("#components/ui/side-modal-open.tsx").then(({ OpenSideModal }) => OpenSideModal),
);
