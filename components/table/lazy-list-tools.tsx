"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** The buttons for a list as a whole, loaded late: a person reads a list before they export it. */
export const LazyListTools = inBrowser(
  () => import("#components/table/list-tools.tsx").then(({ ListTools }) => ListTools),
  <span className="h-8 w-15" />,
);
