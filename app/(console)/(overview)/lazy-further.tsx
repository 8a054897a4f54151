"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** Loads `Further` after the rest of the page. */
export const LazyFurther = inBrowser(() =>
  import("#app/(console)/(overview)/further.tsx").then(({ Further }) => Further),
);
