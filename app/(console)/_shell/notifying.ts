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

/** True if the person wants notifications and the browser permits them. */
export const isNotifying = () =>
  localStorage.getItem(KEY) === "on" && globalThis.Notification?.permission === "granted";

function set(on: boolean) {
  if (on) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** Returns the person's setting for notifications of this browser, which stores it. */
export function useNotifying() {
  return { on: useSyncExternalStore(subscribe, isNotifying, () => false), set };
}
