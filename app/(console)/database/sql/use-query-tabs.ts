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

/** Returns the open queries of `owner`, a person in an account, stored in this browser. */
export function useQueryTabs(owner: string) {
  const [tabs, setTabs] = useState([FIRST]);
  const [activeId, setActiveId] = useState(FIRST.id);
  const [kept, setKept] = useState(true);
  /** The tabs that this window has shown; other windows' tabs are left unchanged in storage. */
  const seen = useRef(new Set([FIRST.id]));
  // The server has none of them, and the first client render must equal the server's.
  useEffect(() => {
    const [first, ...others] = readStored("tabs", owner, isTab);
    if (!first) return;
    seen.current = new Set([first, ...others].map(({ id }) => id));
    setTabs([first, ...others]);
    setActiveId(first.id);
  }, [owner]);

  function store(next: QueryTab[]) {
    setTabs(next);
    const foreign = readStored("tabs", owner, isTab).filter(({ id }) => !seen.current.has(id));
    setKept(writeStored("tabs", owner, [...next, ...foreign]));
  }

  function open(sql: string) {
    const tab = { id: crypto.randomUUID(), sql };
    seen.current.add(tab.id);
    store([...tabs, tab]);
    setActiveId(tab.id);
  }

  function close(id: string) {
    const place = tabs.findIndex((tab) => tab.id === id);
    const rest = tabs.filter((tab) => tab.id !== id);
    const next = rest[Math.min(place, rest.length - 1)];
    if (!next) return;
    store(rest);
    if (id === activeId) setActiveId(next.id);
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
    write: (id: string, sql: string) => store(tabs.map((tab) => (tab.id === id ? { id, sql } : tab))),
  };
}
