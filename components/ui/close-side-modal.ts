"use client";

import type { ReactNode } from "react";
import { useRouter } from "#components/ui/use-router.ts";

export type SideModalProps = {
  title: string;
  description?: ReactNode;
  parent: string;
  footer?: ReactNode;
  wide?: boolean | undefined;
  /** The children are a form with its own padding, scrolling and footer; Escape does not discard what is typed there. */
  bare?: boolean;
  children: ReactNode;
};

/** Returns a function that leaves a side modal for the page below it and keeps the list's filters in the address. */
export function useCloseTo(parent: string): () => void {
  const router = useRouter();
  return () => router.push(parent + window.location.search, { scroll: false });
}
