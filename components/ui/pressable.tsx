"use client";

import { type ComponentProps, useCallback } from "react";

const onServer = typeof window === "undefined";

/**
 * The bare button behind every other. As the server has drawn it, it is disabled until the page's scripts can answer a
 * click, so that none is lost and the browser itself sends no form; `data-waiting` says that it only waits.
 */
export function Pressable({ disabled, ref, ...props }: ComponentProps<"button">) {
  const wake = useCallback(
    (button: HTMLButtonElement | null) => {
      if (button?.dataset.waiting) {
        button.disabled = false;
        delete button.dataset.waiting;
      }
      if (typeof ref === "function") return ref(button);
      if (ref) ref.current = button;
    },
    [ref],
  );
  return (
    <button
      type="button"
      disabled={disabled || onServer}
      data-waiting={(onServer && !disabled) || undefined}
      // React leaves these two as the server has drawn them, and `wake` sets them right.
      suppressHydrationWarning
      ref={wake}
      {...props}
    />
  );
}
