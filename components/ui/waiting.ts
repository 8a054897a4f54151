"use client";

import { type Ref, useCallback, useEffect, useRef } from "react";

const isServer = typeof window === "undefined";

type Control = HTMLButtonElement | HTMLInputElement | HTMLSelectElement;

/**
 * Returns props for a control: `<select {...useWaiting({ disabled, ref })}>`. The server renders it disabled until the
 * page's scripts run, so that no input is lost and the browser submits no form by itself; `data-waiting` marks that
 * state.
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
  // In an effect, because the router handles address changes only once effects run.
  useEffect(() => {
    const control = own.current;
    if (!control?.dataset.waiting) return;
    control.disabled = false;
    delete control.dataset.waiting;
  }, []);
  return {
    disabled: disabled || isServer,
    "data-waiting": (isServer && !disabled) || undefined,
    // React does not update these two attributes during hydration; the effect sets them.
    suppressHydrationWarning: true,
    ref: attach,
  };
}
