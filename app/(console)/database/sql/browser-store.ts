/** A person's texts on the SQL pages stay in their browser, under a prefix per use and a key per account. */
const PREFIXES = {
  history: "database.sql.history/",
  tabs: "database.sql.tabs/",
  saved: "database.sql.saved/",
} as const;

type Use = keyof typeof PREFIXES;

/** Reads a list; ignores entries of another form. */
export function readStored<Entry>(
  use: Use,
  owner: string,
  isEntry: (entry: unknown) => entry is Entry,
): Entry[] {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(PREFIXES[use] + owner) ?? "[]");
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Stores a list; returns false if the browser refused it. */
export function writeStored(use: Use, owner: string, entries: readonly unknown[]): boolean {
  try {
    window.localStorage.setItem(PREFIXES[use] + owner, JSON.stringify(entries));
    return true;
  } catch {
    // Storage is full or forbidden.
    return false;
  }
}

/**
 * Removes the tabs and history of everybody who has used this browser, at sign-out. Saved queries stay until they are
 * deleted.
 */
export function forgetStatements(): void {
  try {
    for (const key of Object.keys(window.localStorage))
      if (key.startsWith(PREFIXES.history) || key.startsWith(PREFIXES.tabs))
        window.localStorage.removeItem(key);
  } catch {
    // If storage is forbidden, nothing was stored.
  }
}
