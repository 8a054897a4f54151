import { useSyncExternalStore } from "react";

const KEY = "notify-approvals";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Whether it is wanted, and the browser lets it. */
export const isNotifying = () =>
  localStorage.getItem(KEY) === "on" && globalThis.Notification?.permission === "granted";

function set(on: boolean) {
  if (on) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** Whether the person wants to be notified by this browser, which is kept in it. */
export function useNotifying() {
  return { on: useSyncExternalStore(subscribe, isNotifying, () => false), set };
}
