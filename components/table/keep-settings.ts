import {
  parseSettings,
  SETTINGS_CHANGED,
  storageKey,
  type TableSettings,
} from "#components/table/table-settings.ts";

/** Stores changed settings of the signed-in person's tables in this browser. */
export function keepSettings(change: TableSettings) {
  try {
    window.localStorage.setItem(storageKey(), JSON.stringify({ ...parseSettings(), ...change }));
  } catch {
    // Storage is full or forbidden: the view stays unchanged.
  }
  window.dispatchEvent(new Event(SETTINGS_CHANGED));
}

/** Stores which columns of a list were switched on or off. */
export function keepColumns(list: string, columns: Record<string, boolean>) {
  keepSettings({ columns: { ...parseSettings().columns, [list]: columns } });
}
