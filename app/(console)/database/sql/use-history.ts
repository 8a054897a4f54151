"use client";

import { useEffect, useState } from "react";
import { readStored, writeStored } from "#app/(console)/database/sql/browser-store.ts";

const KEPT = 50;

const isText = (entry: unknown): entry is string => typeof entry === "string";

/**
 * Returns the statements that `owner`, a person in an account, has run in this browser, newest first. They never leave
 * the browser.
 */
export function useHistory(owner: string) {
  const [entries, setEntries] = useState<string[]>([]);
  // The server has none of them, and the first client render must equal the server's.
  useEffect(() => setEntries(readStored("history", owner, isText)), [owner]);

  function store(next: string[]) {
    setEntries(next);
    writeStored("history", owner, next);
  }

  return {
    entries,
    keep(sql: string) {
      const others = readStored("history", owner, isText).filter((entry) => entry !== sql);
      store([sql, ...others].slice(0, KEPT));
    },
    forget: () => store([]),
  };
}
