"use client";

import { useSyncExternalStore } from "react";

/** The secrets of keys created in this tab since it loaded: kept in memory only, for the first call on the overview. */
const secrets = new Map<string, string>();
const listeners = new Set<() => void>();

export function keepSecret(keyId: string, secret: string): void {
  secrets.set(keyId, secret);
  for (const listener of listeners) listener();
}

/** Returns the secret of a key that this tab has created. */
export function useFreshSecret(keyId: string | undefined): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => (keyId === undefined ? undefined : secrets.get(keyId)),
    () => undefined,
  );
}
