"use client";

import { useEffect } from "react";

/** Each unsaved text of the page; true if the person is asked before a link discards it. */
const places = new Map<symbol, boolean>();

/** True if the page holds unsaved typed text. */
export const anythingTyped = () => places.size > 0;

/**
 * While `typed`, the page does not navigate away by itself, and links ask first unless `asks` is false:
 * `useTyped(text !== initial)`. `FormBody` does it for the fields of its form.
 */
export function useTyped(typed: boolean, { asks = true } = {}): void {
  useEffect(() => {
    if (!typed) return;
    const place = Symbol();
    places.set(place, asks);
    return () => void places.delete(place);
  }, [typed, asks]);
}

/** Asks whether the page's typed text may be discarded; true without any. */
export function agreeToDiscard(): boolean {
  if (![...places.values()].includes(true)) return true;
  const agreed = window.confirm("Discard what you typed? It is not stored anywhere yet.");
  // The browser does not ask a second time where a link loads a new document.
  if (agreed) places.clear();
  return agreed;
}
