"use client";

import { type Ref, useCallback } from "react";

const onServer = typeof window === "undefined";

type Control = HTMLButtonElement | HTMLSelectElement;

/**
 * What a control has on it: `<select {...useWaiting({ disabled, ref })}>`. As the server has drawn it, it is disabled until
 * the page's scripts can answer, so that nothing is lost and the browser itself sends no form; `data-waiting` says that
 * it only waits.
 */
export function useWaiting<Element extends Control>({
  disabled,
  ref,
}: {
  disabled: boolean | undefined;
  ref: Ref<Element> | undefined;
}) {
  const wake = useCallback(
    (control: Element | null) => {
      if (control?.dataset.waiting) {
        control.disabled = false;
        delete control.dataset.waiting;
      }
      if (typeof ref === "function") return ref(control);
      if (ref) ref.current = control;
    },
    [ref],
  );
  return {
    disabled: disabled || onServer,
    "data-waiting": (onServer && !disabled) || undefined,
    // React leaves these two as the server has drawn them, and `wake` sets them right.
    suppressHydrationWarning: true,
    ref: wake,
  };
}
