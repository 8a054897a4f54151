"use client";

import { inBrowser } from "#components/ui/in-browser.tsx";

/** A side modal, rendered only in the browser. */
export const LateImportCsv = inBrowser<{ name: string }>(() =>
  import("#app/(console)/database/tables/[table]/import-csv.tsx").then(({ ImportCsv }) => ImportCsv),
);
