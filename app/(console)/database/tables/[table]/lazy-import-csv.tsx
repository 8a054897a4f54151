"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** `ImportCsv`, a side modal, loaded after the scripts of the page below it. */
export const LazyImportCsv = inBrowser<{ name: string }>(() =>
  import("#app/(console)/database/tables/[table]/import-csv.tsx").then(({ ImportCsv }) => ImportCsv),
);
