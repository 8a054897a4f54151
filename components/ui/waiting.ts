"use client";

import { type Ref, useCallback, useEffect, useRef } from "react";

const onServer = typeof window === "undefined";

type Control = HTMLButtonElement | HTMLInputElement | HTMLSelectElement;

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
  const own = useRef<Element>(null);
  const attach = useCallback(
    (control: Element | null) => {
      own.current = control;
      if (typeof ref === "function") return ref(control);
      if (ref) ref.current = control;
    },
    [ref],
  );
  // By an effect: only with the effects of a page does the router notice changes of the address.
  useEffect(() => {
    const control = own.current;
    if (!control?.dataset.waiting) return;
    control.disabled = false;
    delete control.dataset.waiting;
  }, []);
  return {
    disabled: disabled || onServer,
    "data-waiting": (onServer && !disabled) || undefined,
    // React leaves these two as the server has drawn them, and the effect sets them right.
    suppressHydrationWarning: true,
    ref: attach,
  };
}
