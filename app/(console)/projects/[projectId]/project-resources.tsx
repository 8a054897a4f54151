"use client";

import { useQuery } from "@tanstack/react-query";
import { glanceOf } from "#app/(console)/projects/queries.ts";
import { columnsWith } from "#app/(console)/runs/columns.tsx";
import { OutcomeStrip } from "#app/(console)/runs/outcome-strip.tsx";
import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { File } from "#server/files/schema.ts";
import type { Wallet } from "#server/wallets/schema.ts";

const runColumns = columnsWith(new Map(), false).filter(
  ({ header }) => header !== "Project" && header !== "Tags",
);
const fileColumns: Column<File>[] = [
  { header: "Name", cell: ({ name }) => <bdi>{plainName(name)}</bdi> },
  { header: "Size", cell: ({ sizeBytes }) => <Size bytes={sizeBytes} />, align: "end", width: "6rem" },
  { header: "Uploaded", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: "8rem" },
];
const walletColumns: Column<Wallet>[] = [
  { header: "Wallet", cell: ({ label }) => <bdi>{plainName(label)}</bdi> },
  { header: "Address", cell: ({ address }) => <Copyable value={address} />, width: "10.5rem" },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "6.5rem" },
];

/** Shows a project's newest runs, failed runs, files and wallets, each with a link to the whole list. */
export function ProjectResources({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const queries = glanceOf(projectId);
  const runs = useQuery(trpc.runs.list.queryOptions(queries.runs));
  const failures = useQuery(trpc.runs.list.queryOptions(queries.failures));
  const files = useQuery(trpc.files.list.queryOptions(queries.files));
  const wallets = useQuery(trpc.wallets.list.queryOptions(queries.wallets));
  const hasFailures = failures.data !== undefined && failures.data.runs.length > 0;
  const runTable = {
    columns: runColumns,
    rowId: ({ id }: Run) => id,
    rowHref: ({ id }: Run) => routes.runs.read(id),
    empty: <p className="p-4 text-muted">No run yet.</p>,
  };
  return (
    <>
      <Section
        title="Latest runs"
        action={<TextLink href={routes.runs.list({ projectId })}>All runs</TextLink>}
      >
        <OutcomeStrip filters={{ projectId }} />
        <ErrorNotice what="The runs could not be loaded." error={runs.error} />
        <DataTable label="Latest runs" rows={runs.data?.runs} failed={runs.isError} {...runTable} />
      </Section>
      {hasFailures && (
        <Section
          title="Failed runs"
          action={<TextLink href={routes.runs.list({ projectId, failures: "on" })}>All failures</TextLink>}
        >
          <DataTable label="Failed runs" rows={failures.data.runs} {...runTable} />
        </Section>
      )}
      <div className="grid min-w-0 grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <Section
          title="Files"
          action={<TextLink href={routes.files.list({ projectId })}>All files</TextLink>}
        >
          <ErrorNotice what="The files could not be loaded." error={files.error} />
          <DataTable
            label="Files"
            columns={fileColumns}
            rows={files.data?.files}
            failed={files.isError}
            rowId={({ id }) => id}
            rowHref={({ id }) => routes.files.read(id)}
            empty={<p className="p-4 text-muted">No file yet.</p>}
          />
        </Section>
        <Section
          title="Wallets"
          action={<TextLink href={routes.wallets.list({ projectId })}>All wallets</TextLink>}
        >
          <ErrorNotice what="The wallets could not be loaded." error={wallets.error} />
          <DataTable
            label="Wallets"
            columns={walletColumns}
            rows={wallets.data?.wallets}
            failed={wallets.isError}
            rowId={({ id }) => id}
            rowHref={({ id }) => routes.wallets.read(id)}
            empty={<p className="p-4 text-muted">No wallet yet.</p>}
          />
        </Section>
      </div>
    </>
  );
}
