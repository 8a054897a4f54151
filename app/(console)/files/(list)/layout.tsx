import type { Metadata } from "next";
import type { ReactNode } from "react";
import { FileList } from "#app/(console)/files/file-list.tsx";
import { filesQuery, filterNames } from "#app/(console)/files/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Files" };

export default async function FilesLayout({ children }: { children: ReactNode }) {
  const { cursor, ...filters } = await wantedFilters([...filterNames, "cursor"]);
  await prefetch(
    trpc.files.list.queryOptions(filesQuery(filters, cursor)),
    trpc.storage.read.queryOptions({}),
  );
  return (
    <Hydrate>
      <FileList mayWrite={await may("files:write")} />
      {children}
    </Hydrate>
  );
}
