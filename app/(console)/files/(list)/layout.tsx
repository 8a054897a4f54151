import type { Metadata } from "next";
import type { ReactNode } from "react";
import { FileList } from "#app/(console)/files/file-list.tsx";
import { fileList } from "#app/(console)/files/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Files" };

export default async function FilesLayout({ children }: { children: ReactNode }) {
  const asked = fileList.query(await wantedFilters(fileList.names));
  await prefetch(trpc.files.list.queryOptions(asked), trpc.storage.read.queryOptions({}));
  return (
    <Hydrate>
      <FileList mayWrite={await may("files:write")} />
      {children}
    </Hydrate>
  );
}
