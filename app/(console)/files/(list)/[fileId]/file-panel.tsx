"use client";

import { useQuery } from "@tanstack/react-query";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { useDeleting } from "#app/(console)/files/use-deleting.tsx";
import { Preview } from "#components/preview.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Size } from "#components/ui/size.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** A file's properties and, if it can be shown, its content. */
export function FilePanel({ fileId, mayWrite }: { fileId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.files.read.queryOptions({ fileId }));
  const deleting = useDeleting(useCloseTo(routes.files.list()));
  const file = data?.file;

  return (
    <SideModal
      title={file?.name ?? "File"}
      parent={routes.files.list()}
      footer={
        file && (
          <>
            {mayWrite && <Button onClick={() => deleting.ask(file)}>Delete</Button>}
            <DownloadLink url={file.downloadUrl} name={file.name} />
          </>
        )
      }
    >
      <ErrorNotice what="The file could not be loaded." error={error} />
      {!file && !error && <Skeleton className="h-96" />}
      {file && (
        <>
          <Preview content={file} url={file.downloadUrl} />
          <Facts
            items={[
              { name: "Id", value: <Copyable value={file.id} full /> },
              { name: "Type", value: file.mediaType },
              { name: "Size", value: <Size bytes={file.sizeBytes} /> },
              { name: "Purpose", value: file.purpose ?? "–" },
              {
                name: "Project",
                value: file.projectId ? <ResourceLink id={file.projectId} /> : "–",
              },
              {
                name: "End user",
                value: file.endUser === null ? "–" : <EndUserLink externalId={file.endUser} />,
              },
              { name: "SHA-256", value: <Copyable value={file.sha256} full /> },
              { name: "Uploaded", value: <ExactTime at={file.createdAt} /> },
            ]}
          />
        </>
      )}
      {deleting.dialog}
    </SideModal>
  );
}
