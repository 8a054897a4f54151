"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { StorageMeter } from "#app/(console)/_storage/storage-meter.tsx";
import { DropZone } from "#app/(console)/files/drop-zone.tsx";
import { fileList } from "#app/(console)/files/queries.ts";
import { UploadButton } from "#app/(console)/files/upload-button.tsx";
import { UploadList } from "#app/(console)/files/upload-list.tsx";
import { useDeleting } from "#app/(console)/files/use-deleting.tsx";
import { useUploads } from "#app/(console)/files/use-uploads.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Size, sizeText } from "#components/ui/size.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { File } from "#server/files/schema.ts";

const columns: Column<File>[] = [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name, sort: "name" },
  { header: "Type", cell: ({ mediaType }) => mediaType, csv: ({ mediaType }) => mediaType, minor: true },
  { header: "Purpose", cell: ({ purpose }) => purpose ?? "–", csv: ({ purpose }) => purpose, minor: true },
  {
    header: "Size",
    plain: true,
    cell: ({ sizeBytes }) => <Size bytes={sizeBytes} />,
    csv: ({ sizeBytes }) => sizeBytes,
    align: "end",
    width: "6rem",
  },
  {
    header: "End user",
    cell: ({ endUser }) => endUser ?? "–",
    csv: ({ endUser }) => endUser,
    optional: true,
    width: "8rem",
  },
  {
    header: "SHA-256",
    cell: ({ sha256 }) => <Copyable value={sha256} />,
    csv: ({ sha256 }) => sha256,
    optional: true,
    width: "11rem",
  },
  {
    header: "Uploaded",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

export function FileList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(fileList);
  const query = trpc.files.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const { uploads, add, dismiss } = useUploads();
  const deleting = useDeleting();
  const isInProject = useIsInProject();
  const queries = useQueryClient();
  const selection = useSelection<File>({ idOf: ({ id }) => id, nameOf: ({ name }) => name });

  return (
    <DropZone disabled={!mayWrite} onFiles={add}>
      <Page>
        <PageHeader
          title="Files"
          sentence="Bytes of any kind, up to 5 GB each, that your keys and services can reach. Drop some here."
          action={mayWrite && <UploadButton onFiles={add} />}
        />
        <ListTable
          state={state}
          label="Files"
          columns={columns}
          list={list}
          failed="The files could not be loaded."
          ask={client.files.list.query}
          rowsOf={({ files }) => files}
          rowHref={(file) => `${routes.files.read(file.id)}${state.suffix}`}
          {...(mayWrite && {
            selection,
            rowMenu: (file: File) => [{ label: "Delete", danger: true, onSelect: () => deleting.ask(file) }],
          })}
          empty={<NoFiles />}
        >
          {!isInProject && <FilesStorage />}
          <UploadList uploads={uploads} onDismiss={dismiss} />
          <Many
            selection={selection}
            counted={countedBy("file")}
            noteOf={({ sizeBytes }) => sizeText(sizeBytes)}
            actions={[
              {
                verb: "Delete",
                danger: true,
                text: "The bytes of each are gone for good, and addresses to download them stop working at once.",
                act: ({ id }) => client.files.delete.mutate({ fileId: id }),
              },
            ]}
            refresh={() => queries.invalidateQueries(trpc.files.list.pathFilter())}
          />
        </ListTable>
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

/** Shows how much of their budget the account's files use. */
function FilesStorage() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.storage.read.queryOptions({}));
  const files = data?.storage.find(({ kind }) => kind === "files");
  return <div className="h-14 w-full sm:max-w-xs">{files && <StorageMeter {...files} />}</div>;
}
