"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportFormProps } from "#app/(console)/database/copies/import-form.tsx";
import { TransferState } from "#app/(console)/database/copies/transfer-state.tsx";
import { CopyList } from "#app/(console)/database/copy-list.tsx";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Section } from "#components/ui/section.tsx";
import { useRouter } from "#components/ui/use-router.ts";

const ImportForm = inBrowser<ImportFormProps>(
  () => import("#app/(console)/database/copies/import-form.tsx").then(({ ImportForm }) => ImportForm),
  <div className="h-28 sm:h-8" />,
);
const Removal = inBrowser(() =>
  import("#app/(console)/database/copies/removal.tsx").then(({ Removal }) => Removal),
);

/** Exports the database as a signed archive, imports one, or removes it. A running transfer has an address of its own. */
export function Copies({ transferId, mayWrite }: { transferId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const { database } = useDatabase();
  const show = (id: string) => router.replace(routes.database.copies({ transfer: id }));
  const start = useMutation(
    trpc.databases.transfers.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.databases.transfers.list.pathFilter()),
    }),
  );
  // Not called if the person has left the page meanwhile.
  const startExport = () =>
    start.mutate({ direction: "export" }, { onSuccess: ({ transfer }) => show(transfer.id) });
  return (
    <>
      {transferId && <TransferState key={transferId} transferId={transferId} mayWrite={mayWrite} />}
      {!mayWrite && !transferId && (
        <p className="text-muted">Your role reads the database, and makes no copies of it.</p>
      )}
      {mayWrite && database?.status === "ready" && (
        <>
          <Section
            title="Export"
            description="A snapshot of every table as a signed archive, which can be verified offline and imported elsewhere."
            action={
              <Button pending={start.isPending} onClick={startExport}>
                Export database
              </Button>
            }
          >
            <ErrorNotice what="The export was not started." error={start.error} />
          </Section>
          <Section
            title="Import"
            description="Everything in the archive is checked before anything is applied, and all of it is applied or nothing. The database must be empty."
          >
            <ImportForm onStarted={show} />
          </Section>
          <Removal />
        </>
      )}
      <CopyList />
    </>
  );
}
