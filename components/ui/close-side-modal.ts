"use client";

import type { ReactNode } from "react";
import { useRouter } from "#components/ui/use-router.ts";

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
