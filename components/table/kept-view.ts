"use client";

import { useMemo, useSyncExternalStore } from "react";

/** How a person has set up the tables: all of them denser, and the columns of each list that they switched on or off. */
export interface Kept {
  dense?: boolean;
  columns?: Record<string, Record<string, boolean>>;
}

/** The view of a list; `view-dialog.tsx` changes it. */
export interface KeptView {
  list: string;
  dense: boolean;
  /** The columns that were switched on or off, by header. */
  columns: Record<string, boolean>;
}

/** Says in this tab that the kept views have changed; in others it is the browser's `storage`. */
export const CHANGED = "kept-view";

function listen(onChange: () => void) {
  window.addEventListener(CHANGED, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener("storage", onChange);
  };
}

/** Where the browser keeps the views of who is signed in: the console's layout says who that is. */
export const keyOfViewer = () =>
  `tables/${document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner}`;

function read(): string {
  try {
    return window.localStorage.getItem(keyOfViewer()) ?? "";
  } catch {
    return "";
  }
}

/** Parses what is kept, which anything may have written. */
export function keptIn(text = read()): Kept {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** The view of a list, kept in this browser per person. */
export function useKeptView(list: string): KeptView {
  const text = useSyncExternalStore(listen, read, () => "");
  return useMemo(() => {
    const { dense = false, columns } = keptIn(text);
    return { list, dense, columns: columns?.[list] ?? {} };
  }, [text, list]);
}
