"use client";

import { useQuery } from "@tanstack/react-query";
import { StorageMeter } from "#app/(console)/_storage/storage-meter.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Card, Section } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { STORED_KINDS } from "#server/storage/kinds.ts";

/** Shows the account's storage usage and its budgets, kind by kind. */
export function StoragePanel() {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.storage.read.queryOptions({}));
  return (
    <Section
      title="Storage"
      description="The account's data on disk. Writes beyond a budget are refused; nothing is deleted to make room."
    >
      <ErrorNotice what="The storage could not be read." error={error} />
      {!error && (
        <Card className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {STORED_KINDS.map((kind) => {
            const item = data?.storage.find((candidate) => candidate.kind === kind);
            return item ? <StorageMeter key={kind} {...item} /> : <Skeleton key={kind} className="h-14" />;
          })}
        </Card>
      )}
    </Section>
  );
}
