"use client";

import { CircleCheck, TriangleAlert, X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { plainName } from "#components/ui/plain-name.ts";

type Options = {
  undo?: () => void;
  /** True if something was not done. */
  failed?: boolean;
};
type Toast = Options & { id: number; text: string };

const lifetimeMs = 8_000;
const none: Toast[] = [];
const listeners = new Set<() => void>();
let toasts = none;
let nextId = 1;

function publish(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Confirms that something is done: `toast("Project archived.", { undo: () => restore.mutate({ id }) })`. A failure is
 * an `ErrorNotice` where it happened; it is a toast, with `failed`, only if it happened nowhere on the page.
 */
export function toast(text: string, options: Options = {}): void {
  publish([...toasts.slice(-2), { id: nextId++, text, ...options }]);
}

function dismiss(id: number) {
  publish(toasts.filter((one) => one.id !== id));
}

/** The container of toasts; mounted once by `Providers`. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div
      role="status"
      // Screen readers announce toasts even while a dialog is open.
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-16 z-50 flex flex-col items-start gap-2 sm:right-auto sm:bottom-4 md:left-60"
    >
      {shown.map((item) => (
        <ToastItem key={item.id} toast={item} />
      ))}
    </div>
  );
}

function ToastItem({ toast: { id, text, undo, failed } }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), lifetimeMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="pointer-events-auto flex max-w-sm animate-appear items-center gap-3 rounded-md border bg-raised py-2 pr-2 pl-3 text-13 shadow-float">
      {failed ? (
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      ) : (
        <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" />
      )}
      <span className="min-w-0 break-words">{plainName(text)}</span>
      {undo && (
        <button
          type="button"
          className="shrink-0 rounded-md px-2 py-1 font-medium text-accent-text hover:bg-hover"
          onClick={() => {
            undo();
            dismiss(id);
          }}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="shrink-0 rounded-md p-1 text-muted hover:bg-hover"
        onClick={() => dismiss(id)}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
