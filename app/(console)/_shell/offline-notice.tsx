"use client";

import { onlineManager } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { linkOf } from "#components/ui/leaving.ts";
import { toast } from "#components/ui/toast.tsx";
import { STAYS } from "#components/ui/use-router.ts";

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);

/** Says that the server cannot be reached, and keeps the open page. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => onlineManager.isOnline(),
    () => true,
  );
  useEffect(() => {
    if (online) return;
    // In the capture phase, before the router: a page that fails to load would discard unsaved input.
    document.addEventListener("click", stay, true);
    return () => {
      document.removeEventListener("click", stay, true);
      toast("The server can be reached again.");
    };
  }, [online]);

  // At the end of the document and live, so that an open dialog does not hide it from screen readers; above the bottom
  // bars of forms and toasts.
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-36 z-50 mx-auto max-w-lg sm:bottom-20"
    >
      {!online && (
        <p className="flex items-start gap-2.5 rounded-md border border-warn bg-warn-soft p-3 text-13 shadow-float">
          <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            <span className="font-medium">
              {navigator.onLine ? "The server can’t be reached." : "You are offline."}
            </span>{" "}
            This page may be out of date. Your input stays, and it is sent by itself after you submit it, once
            that is possible again.
          </span>
        </p>
      )}
    </div>,
    document.body,
  );
}

function stay(event: MouseEvent) {
  if (!linkOf(event)) return;
  event.preventDefault();
  event.stopPropagation();
  toast(STAYS, { failed: true });
}
