"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const UNDER_WAY = ["pending", "uploading", "validating", "applying", "building"];

/** Shows the progress and outcome of an export or import. */
export function TransferState({ transferId, mayWrite }: { transferId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error } = useQuery(trpc.databases.transfers.read.queryOptions({ transferId }));
  const cancel = useMutation(
    trpc.databases.transfers.cancel.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.databases.transfers.read.queryFilter()),
    }),
  );
  if (error) return <ErrorNotice what="The copy could not be read." error={error} />;
  if (!data) return <Skeleton className="h-24" />;
  const { transfer } = data;
  const { direction, status, archive, error: fault, difference, dryRun } = transfer;
  const isReady = direction === "export" && status === "ready";
  return (
    <Section
      title={direction === "export" ? "This export" : dryRun ? "This check" : "This import"}
      action={
        <div className="flex gap-2">
          <DownloadLink
            url={isReady ? `/api/bytes/databases/transfers/${transferId}/archive` : null}
            name="database.zip"
          />
          {mayWrite && UNDER_WAY.includes(status) && (
            <Button pending={cancel.isPending} onClick={() => cancel.mutate({ transferId })}>
              Cancel
            </Button>
          )}
        </div>
      }
    >
      <ErrorNotice what="It was not cancelled." error={cancel.error} />
      {fault && (
        <ErrorNotice
          what="Nothing was applied."
          error={{ message: `${fault.message}${fault.entry ? ` (${fault.entry})` : ""}` }}
        />
      )}
      <div aria-live="polite">
        <Facts
          items={[
            { name: "Status", value: <Status value={status} /> },
            { name: "Id", value: <Copyable value={transfer.id} /> },
            ...(archive
              ? [
                  { name: "Size", value: <Size bytes={archive.sizeBytes} /> },
                  { name: "SHA-256", value: <Copyable value={archive.sha256} /> },
                ]
              : []),
            ...(difference
              ? [
                  {
                    name: "Tables",
                    value: difference.tables
                      .map((table) => `${table.name}: ${table.change}, ${table.archiveRows ?? 0} rows`)
                      .join("; "),
                  },
                ]
              : []),
            { name: "Kept until", value: <RelativeTime at={transfer.expiresAt} /> },
          ]}
        />
      </div>
    </Section>
  );
}
