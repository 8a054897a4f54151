"use client";

import { useEffect } from "react";

const places = new Set<symbol>();

/** True if the page holds unsaved typed text. */
export const anythingTyped = () => places.size > 0;

/**
 * While `typed`, the page does not navigate away by itself: `useTyped(text !== initial)`. `useForm` does it for its own
 * fields.
 */
export function useTyped(typed: boolean): void {
  useEffect(() => {
    if (!typed) return;
    const place = Symbol();
    places.add(place);
    return () => void places.delete(place);
  }, [typed]);
}
