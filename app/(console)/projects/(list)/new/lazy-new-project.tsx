"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `NewProject`, a side modal, loaded after the scripts of the page below it. */
export const LazyNewProject = inBrowser(() =>
  import("#app/(console)/projects/(list)/new/new-project.tsx").then(({ NewProject }) => NewProject),
);
