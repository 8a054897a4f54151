"use client";

import { useQuery } from "@tanstack/react-query";
import { newestOf, newestRunOf } from "#app/(console)/end-users/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import type { Total } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

/** A kind of resource: how many the end user has, and when the newest was created; undefined while they are loading. */
interface Belonging {
  name: string;
  href: string;
  total: Total | undefined;
  newestAt: string | null | undefined;
}

const columns: Column<Belonging>[] = [
  { header: "What", cell: ({ name }) => name },
  { header: "How many", cell: ({ total }) => countOf(total), align: "end", width: "8rem" },
  {
    header: "Newest",
    cell: ({ newestAt }) => (newestAt ? <RelativeTime at={newestAt} /> : newestAt === null && "–"),
    align: "end",
    width: "10rem",
  },
];

const countOf = (total: Total | undefined) => total && `${inDigits(total.count)}${total.more ? "+" : ""}`;

/** Counts what belongs to an end user; each row leads to the list of it. */
export function Belongings({
  externalId,
  seesKeys,
  seesMemories,
}: {
  externalId: string;
  seesKeys: boolean;
  seesMemories: boolean;
}) {
  const trpc = useTRPC();
  const newest = newestOf(externalId);
  const keys = useQuery({ ...trpc.apiKeys.list.queryOptions(newest), enabled: seesKeys });
  const runs = useQuery(trpc.runs.list.queryOptions(newestRunOf(externalId)));
  const memories = useQuery({ ...trpc.memories.list.queryOptions(newest), enabled: seesMemories });
  const files = useQuery(trpc.files.list.queryOptions(newest));
  const wallets = useQuery(trpc.wallets.list.queryOptions(newest));
  const isInProject = useIsInProject();

  const filter = { endUser: externalId };
  const row = (
    name: string,
    href: string,
    total: Total | undefined,
    rows: readonly { createdAt: string }[] | undefined,
  ): Belonging => ({ name, href, total, newestAt: rows && (rows[0]?.createdAt ?? null) });
  const belongings = [
    ...(seesKeys ? [row("API keys", routes.apiKeys.list(filter), keys.data?.total, keys.data?.apiKeys)] : []),
    row("Runs", routes.runs.list(filter), runs.data?.total, runs.data?.runs),
    ...(seesMemories
      ? [row("Memories", routes.memories.list(filter), memories.data?.total, memories.data?.memories)]
      : []),
    row("Files", routes.files.list(filter), files.data?.total, files.data?.files),
    row("Wallets", routes.wallets.list(filter), wallets.data?.total, wallets.data?.wallets),
  ];
  const error = [keys, runs, memories, files, wallets].find((query) => query.error)?.error;

  return (
    <Section
      title="What belongs to them"
      description={isInProject ? "In this project. Other projects may have more." : undefined}
    >
      <ErrorNotice what="Not everything could be counted." error={error} />
      <DataTable
        label="What belongs to them"
        columns={columns}
        rows={belongings}
        rowId={({ name }) => name}
        rowHref={({ href }) => href}
        empty={null}
      />
    </Section>
  );
}
