"use client";

import { useEffect, useState } from "react";

const KEY = "database.sql.history";
const KEPT = 50;

function stored(): string[] {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((entry) => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

/** The statements that were run in this browser, the last first. They never leave it. */
export function useHistory() {
  const [entries, setEntries] = useState<string[]>([]);
  // The server knows none of them, and the first render must be as its.
  useEffect(() => setEntries(stored()), []);

  function store(next: string[]) {
    setEntries(next);
    try {
      window.localStorage.setItem(KEY, JSON.stringify(next));
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
