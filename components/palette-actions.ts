"use client";

import { useEffect, useSyncExternalStore } from "react";

/** Something ⌘K can do: go to `href`, or `run`. */
export type PaletteAction = { label: string } & ({ href: string } | { run: () => void });

const listeners = new Set<() => void>();
const none: PaletteAction[] = [];
let offered = none;

function publish(next: PaletteAction[]) {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers a page's own actions in ⌘K while the page is open; pass a module constant or a memo. */
export function usePaletteActions(actions: PaletteAction[]): void {
  useEffect(() => {
    publish([...offered, ...actions]);
    return () => publish(offered.filter((action) => !actions.includes(action)));
  }, [actions]);
}

/** The actions that open pages offer at present. */
export function useOfferedActions(): PaletteAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => offered,
    () => none,
  );
}
