"use client";

import { useMemo, useSyncExternalStore } from "react";

/** A person's settings of all tables: their density, and the columns of each list that they switched on or off. */
export interface TableSettings {
  dense?: boolean;
  columns?: Record<string, Record<string, boolean>>;
}

/** The settings of a list's table; `keep-settings.ts` changes them. */
export interface ListSettings {
  list: string;
  dense: boolean;
  /** The columns that were switched on (true) or off (false), by header. */
  columns: Record<string, boolean>;
}

/** The event that notifies this tab of changed settings; other tabs get the browser's `storage` event. */
export const SETTINGS_CHANGED = "table-settings";

function listen(onChange: () => void) {
  window.addEventListener(SETTINGS_CHANGED, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(SETTINGS_CHANGED, onChange);
    window.removeEventListener("storage", onChange);
  };
}

/** The storage key of the signed-in person's settings; the console's layout names the person in the document. */
export const storageKey = () =>
  `tables/${document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner}`;

function read(): string {
  try {
    return window.localStorage.getItem(storageKey()) ?? "";
  } catch {
    return "";
  }
}

/** Parses the stored settings; ignores anything malformed. */
export function parseSettings(text = read()): TableSettings {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** Returns the settings of a list, stored in this browser per person. */
export function useListSettings(list: string): ListSettings {
  const text = useSyncExternalStore(listen, read, () => "");
  return useMemo(() => {
    const { dense = false, columns } = parseSettings(text);
    return { list, dense, columns: columns?.[list] ?? {} };
  }, [text, list]);
}
