"use client";

import { useEffect, useState } from "react";
import { readStored, writeStored } from "#app/(console)/database/sql/browser-store.ts";

export type SavedQuery = { name: string; sql: string };

const MAX_QUERIES = 100;

function isSaved(entry: unknown): entry is SavedQuery {
  const { name, sql } = (entry ?? {}) as Partial<SavedQuery>;
  return typeof name === "string" && typeof sql === "string";
}

const byName = (one: SavedQuery, other: SavedQuery) => (one.name < other.name ? -1 : 1);

/** Returns the named queries that `owner`, a person in an account, has saved in this browser. */
export function useSavedQueries(owner: string) {
  const [saved, setSaved] = useState<SavedQuery[]>([]);
  useEffect(() => setSaved(readStored("saved", owner, isSaved)), [owner]);

  /** Changes the list as stored now, because another window may have changed it too. */
  function change(name: string, added: SavedQuery[]): boolean {
    const others = readStored("saved", owner, isSaved).filter((query) => query.name !== name);
    const next = [...others, ...added].sort(byName);
    if (next.length > MAX_QUERIES || !writeStored("saved", owner, next)) return false;
    setSaved(next);
    return true;
  }

  return {
    saved,
    /** Saves a query, replacing one of the same name; returns false if the browser has no room for it. */
    save: (query: SavedQuery) => change(query.name, [query]),
    remove: (name: string) => change(name, []),
  };
}
