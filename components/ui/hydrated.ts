"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first client render, then true: for what only the viewer's browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
