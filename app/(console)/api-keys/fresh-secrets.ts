"use client";

import { useSyncExternalStore } from "react";

/** Secrets of keys made in this tab since it was loaded: in memory only, for the first call that the overview shows. */
const secrets = new Map<string, string>();
const listeners = new Set<() => void>();

export function keepSecret(keyId: string, secret: string): void {
  secrets.set(keyId, secret);
  for (const listener of listeners) listener();
}

/** The secret of a key, where this tab has just made it. */
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
