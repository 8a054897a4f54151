"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first client render, then true: for content that depends on the viewer's browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
