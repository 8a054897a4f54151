"use client";

import { useEffect, useState } from "react";

const PREFIX = "database.sql.history/";
const KEPT = 50;

function stored(key: string): string[] {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((entry) => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

/** Removes the statements of everybody who has used this browser: called at sign-out. */
export function forgetHistories(): void {
  try {
    for (const key of Object.keys(window.localStorage))
      if (key.startsWith(PREFIX)) window.localStorage.removeItem(key);
  } catch {
    // Where storage is forbidden, none are kept.
  }
}

/** The statements that `owner`, a person in an account, has run in this browser, the last first. They never leave it. */
export function useHistory(owner: string) {
  const key = PREFIX + owner;
  const [entries, setEntries] = useState<string[]>([]);
  // The server knows none of them, and the first render must be as its.
  useEffect(() => setEntries(stored(key)), [key]);

  function store(next: string[]) {
    setEntries(next);
    try {
      window.localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Full or forbidden: then they last as long as the page.
    }
  }

  return {
    entries,
    keep: (sql: string) => store([sql, ...entries.filter((entry) => entry !== sql)].slice(0, KEPT)),
    forget: () => store([]),
  };
}
