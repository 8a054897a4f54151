"use client";

import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { TreeRow } from "#app/(console)/runs/[runId]/step-tree.ts";

export const ROW_PX = 32;
const AROUND = 12;
/** Scrolling renders the tree again only after this number of lines. */
const STRIDE = 6;
/** The number of lines drawn before the box is measured. */
const FIRST = 40;

/** Returns the lines of a long tree to draw. When lines are added above, the first visible line keeps its position. */
export function useWindow(rows: readonly TreeRow[], box: RefObject<HTMLDivElement | null>) {
  const [seen, setSeen] = useState({ first: 0, count: FIRST });
  const anchor = useRef<{ path: string; offset: number } | null>(null);

  function measure() {
    const { scrollTop, clientHeight } = box.current as HTMLDivElement;
    const first = Math.floor(scrollTop / ROW_PX);
    const path = rows[first]?.node.path;
    anchor.current = scrollTop > 0 && path !== undefined ? { path, offset: scrollTop % ROW_PX } : null;
    const next = {
      first: first - (first % STRIDE),
      count: Math.ceil(clientHeight / ROW_PX) + STRIDE,
    };
    setSeen((before) => (before.first === next.first && before.count === next.count ? before : next));
  }

  useLayoutEffect(() => {
    const anchored = anchor.current;
    if (!anchored || !box.current) return;
    const now = rows.findIndex(({ node }) => node.path === anchored.path);
    if (now >= 0) box.current.scrollTop = now * ROW_PX + anchored.offset;
  }, [rows, box]);

  const first = Math.max(0, seen.first - AROUND);
  return { first, drawn: rows.slice(first, seen.first + seen.count + AROUND), measure };
}
