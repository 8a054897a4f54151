"use client";

import { useEffect, useRef, useState } from "react";
import { readStored, writeStored } from "#app/(console)/database/sql/browser-store.ts";

export type QueryTab = { id: string; sql: string };

export const FIRST_SQL =
  "select table_name, table_type\nfrom information_schema.tables\nwhere table_schema = 'public'";
const MAX_TABS = 20;
const FIRST: QueryTab = { id: "first", sql: FIRST_SQL };

function isTab(entry: unknown): entry is QueryTab {
  const { id, sql } = (entry ?? {}) as Partial<QueryTab>;
  return typeof id === "string" && typeof sql === "string";
}

/**
 * Merges the tabs of this window into the stored ones: a tab that this window has changed replaces the stored tab. The
 * window keeps its active tab, even if another window has closed it.
 */
export function mergeTabs(
  stored: readonly QueryTab[],
  own: readonly QueryTab[],
  changed: ReadonlySet<string>,
  activeId: string,
): QueryTab[] {
  if (stored.length === 0) return [...own];
  const ownById = new Map(own.map((tab) => [tab.id, tab]));
  const merged = stored.flatMap((tab) => (changed.has(tab.id) ? (ownById.get(tab.id) ?? []) : tab));
  const storedIds = new Set(stored.map(({ id }) => id));
  const added = own.filter(({ id }) => !storedIds.has(id) && (changed.has(id) || id === activeId));
  return [...merged, ...added];
}

/** Returns the open queries of `owner`, a person in an account, stored in this browser. */
export function useQueryTabs(owner: string) {
  const [tabs, setTabs] = useState([FIRST]);
  const [activeId, setActiveId] = useState(FIRST.id);
  const [kept, setKept] = useState(true);
  /** The tabs that this window has changed since it last could store anything. */
  const unstored = useRef(new Set<string>());
  // The server has none of them, and the first client render must equal the server's.
  useEffect(() => {
    const [first, ...others] = readStored("tabs", owner, isTab);
    if (!first) return;
    setTabs([first, ...others]);
    setActiveId(first.id);
  }, [owner]);
  // The event is of other windows only.
  useEffect(() => {
    const follow = () =>
      setTabs((own) => mergeTabs(readStored("tabs", owner, isTab), own, unstored.current, activeId));
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [owner, activeId]);

  function store(own: QueryTab[], changedId: string, nextActiveId = activeId) {
    unstored.current.add(changedId);
    const next = mergeTabs(readStored("tabs", owner, isTab), own, unstored.current, nextActiveId);
    const stored = writeStored("tabs", owner, next);
    if (stored) unstored.current.clear();
    setTabs(next);
    setActiveId(nextActiveId);
    setKept(stored);
  }

  function open(sql: string) {
    const tab = { id: crypto.randomUUID(), sql };
    store([...tabs, tab], tab.id, tab.id);
  }

  function close(id: string) {
    const place = tabs.findIndex((tab) => tab.id === id);
    const rest = tabs.filter((tab) => tab.id !== id);
    const next = rest[Math.min(place, rest.length - 1)];
    if (!next) return;
    store(rest, id, id === activeId ? next.id : activeId);
  }

  function write(id: string, sql: string) {
    // An editor that shows another window's text reports that as a change, too.
    if (tabs.some((tab) => tab.id === id && tab.sql === sql)) return;
    store(
      tabs.map((tab) => (tab.id === id ? { id, sql } : tab)),
      id,
    );
  }

  return {
    tabs,
    activeId,
    /** True if the browser has stored the last change. */
    kept,
    full: tabs.length >= MAX_TABS,
    choose: setActiveId,
    open,
    close,
    write,
  };
}
