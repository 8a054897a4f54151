"use client";

import type { SideModalProps } from "#components/ui/close-side-modal.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

/**
 * A side panel that is a route: its `page.tsx` renders it, the list below is the layout around it, and
 * closing goes to `parent`: `<SideModal title="Key" parent={routes.apiKeys()}>…</SideModal>`.
 * Like every dialog it is never in the document, whose scripts need not wait for it.
 */
export const SideModal = inBrowser<SideModalProps>(() =>
  import("#components/ui/side-modal-open.tsx").then(({ OpenSideModal }) => OpenSideModal),
);
