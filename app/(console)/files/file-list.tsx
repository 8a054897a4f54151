"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";

import { StorageMeter } from "#app/(console)/_storage/storage-meter.tsx";
import { DropZone } from "#app/(console)/files/drop-zone.tsx";
import { filesQuery, filterNames } from "#app/(console)/files/queries.ts";
import { UploadButton } from "#app/(console)/files/upload-button.tsx";
import { UploadList } from "#app/(console)/files/upload-list.tsx";
import { useDeleting } from "#app/(console)/files/use-deleting.tsx";
import { useUploads } from "#app/(console)/files/use-uploads.ts";
import { useChosenProject } from "#components/chosen-project.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSearch, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Size } from "#components/ui/size.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { File } from "#server/files/schema.ts";

const columns: Column<File>[] = [
  { header: "Name", cell: (file) => file.name },
  { header: "Type", cell: (file) => file.mediaType, minor: true },
  { header: "Purpose", cell: (file) => file.purpose ?? "–", minor: true },
  { header: "Size", cell: (file) => <Size bytes={file.sizeBytes} />, align: "end", width: "6rem" },
  { header: "Uploaded", cell: (file) => <RelativeTime at={file.createdAt} />, width: "8rem" },
];

export function FileList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.files.list.queryOptions(filesQuery(filters.values, useCursor()));
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const { uploads, add, dismiss } = useUploads();
  const deleting = useDeleting();
  const inProject = useChosenProject() !== null;
  // An open file lies over the list, which keeps its filters.
  const search = useSearchParams();
  const suffix = search.size > 0 ? `?${search}` : "";

  return (
    <DropZone disabled={!mayWrite} onFiles={add}>
      <Page>
        <PageHeader
          title="Files"
          sentence="Bytes of any kind, up to 5 GB each, that your keys and services can reach. Drop some here."
          action={mayWrite && <UploadButton onFiles={add} />}
        />
        <FilterBar filters={filters}>
          <FilterSearch filters={filters} name="name" label="Exact name" />
          <FilterSearch filters={filters} name="purpose" label="Purpose" />
        </FilterBar>
        {!inProject && <FilesStorage />}
        <UploadList uploads={uploads} onDismiss={dismiss} />
        <ErrorNotice what="The files could not be loaded." error={list.error} />
        <DataTable
          label="Files"
          columns={columns}
          rows={list.data?.files}
          failed={list.isError}
          rowId={(file) => file.id}
          rowHref={(file) => `${routes.files.read(file.id)}${suffix}`}
          {...(mayWrite && {
            rowMenu: (file: File) => [{ label: "Delete", danger: true, onSelect: () => deleting.ask(file) }],
          })}
          empty={filters.active ? <NoMatches filters={filters} /> : <NoFiles />}
          footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
        />
        {deleting.dialog}
      </Page>
    </DropZone>
  );
}

function NoFiles() {
  const call = { method: "POST", path: "/files", idempotent: true };
  const headers = { "X-File-Name": "invoice.pdf", "Content-Type": "application/pdf" };
  const curl = `${curlOf(useOrigin(), { ...call, headers })} \\\n  --data-binary @invoice.pdf`;
  return (
    <EmptyState title="No files yet" curl={curl}>
      A file keeps its name, type and checksum, can belong to a project or an end user, and is downloaded
      whole or in parts.
    </EmptyState>
  );
}

/** What the account's files take of their budget. */
function FilesStorage() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.storage.read.queryOptions({}));
  const files = data?.storage.find(({ kind }) => kind === "files");
  return <div className="h-14 w-full max-w-xs">{files && <StorageMeter {...files} />}</div>;
}
