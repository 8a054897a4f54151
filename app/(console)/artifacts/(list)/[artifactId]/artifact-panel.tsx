"use client";

import { useQuery } from "@tanstack/react-query";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { Preview } from "#components/preview.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Size } from "#components/ui/size.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** An artifact's properties and, if it can be shown, its content. */
export function ArtifactPanel({ artifactId }: { artifactId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.artifacts.content.read.queryOptions({ artifactId }));
  const artifact = data?.artifact;
  const url = data?.downloadUrl ?? null;

  return (
    <SideModal
      title={artifact?.name ?? "Artifact"}
      parent={routes.artifacts.list()}
      footer={artifact && <DownloadLink url={url} name={artifact.name} />}
    >
      <ErrorNotice what="The artifact could not be loaded." error={error} />
      {!artifact && !error && <Skeleton className="h-96" />}
      {artifact && (
        <>
          <Preview content={artifact} url={url} />
          <Facts
            items={[
              { name: "Id", value: <Copyable value={artifact.id} full /> },
              { name: "Run", value: <ResourceLink id={artifact.runId} /> },
              { name: "Service", value: artifact.serviceId },
              { name: "Type", value: artifact.mediaType },
              { name: "Size", value: <Size bytes={artifact.sizeBytes} /> },
              { name: "SHA-256", value: <Copyable value={artifact.sha256} full /> },
              { name: "Made", value: <ExactTime at={artifact.createdAt} /> },
              { name: "Deleted on", value: <ExactTime at={artifact.expiresAt} /> },
            ]}
          />
        </>
      )}
    </SideModal>
  );
}
