"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

export type SideModalProps = {
  title: string;
  description?: ReactNode;
  parent: string;
  footer?: ReactNode;
  wide?: boolean | undefined;
  /** The children bring their own padding, scrolling and footer. */
  bare?: boolean;
  children: ReactNode;
};

/** Leaves a side modal for the page below it; the list's filters stay in the address. */
export function useCloseTo(parent: string): () => void {
  const router = useRouter();
  return () => router.push(parent + window.location.search, { scroll: false });
}

/**
 * A side panel that is a route: its `page.tsx` renders it, the list below is the layout around it, and
 * closing goes to `parent`: `<SideModal title="Key" parent={routes.apiKeys()}>…</SideModal>`.
 * Like every dialog it is never in the document, whose scripts need not wait for it.
 */
export const SideModal = dynamic<SideModalProps>(
  () => import("#components/ui/side-modal-open.tsx").then(({ OpenSideModal }) => OpenSideModal),
  { ssr: false },
);
