"use client";

import { useEffect } from "react";

/** While `needed`, the browser asks before it leaves the page: `useStay(true)` where something is shown only once. */
export function useStay(needed: boolean): void {
  useEffect(() => {
    if (!needed) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [needed]);
}
