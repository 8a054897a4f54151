"use client";

import { useQuery } from "@tanstack/react-query";
import { newestOf } from "#app/(console)/end-users/queries.ts";
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
  { header: "Resource", cell: ({ name }) => name },
  { header: "How many", cell: ({ total }) => countOf(total), align: "end", width: "8rem" },
  {
    header: "Newest",
    cell: ({ newestAt }) => (newestAt ? <RelativeTime at={newestAt} /> : newestAt === null && "–"),
    align: "end",
    width: "10rem",
  },
];

const countOf = (total: Total | undefined) => total && `${inDigits(total.count)}${total.more ? "+" : ""}`;

/** Counts an end user's resources by kind; each row links to their list. */
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
  const newest = newestOf(trpc, externalId);
  const keys = useQuery({ ...newest.keys, enabled: seesKeys });
  const runs = useQuery(newest.runs);
  const workflows = useQuery(newest.workflows);
  const triggers = useQuery(newest.triggers);
  const artifacts = useQuery(newest.artifacts);
  const memories = useQuery({ ...newest.memories, enabled: seesMemories });
  const files = useQuery(newest.files);
  const connections = useQuery(newest.connections);
  const wallets = useQuery(newest.wallets);
  const swaps = useQuery(newest.swaps);
  const orders = useQuery(newest.orders);
  const approvals = useQuery(newest.approvals);
  const webhooks = useQuery(newest.webhooks);
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
    row("Workflows", routes.workflows.stored(filter), workflows.data?.total, workflows.data?.workflows),
    row("Triggers", routes.triggers.list(filter), triggers.data?.total, triggers.data?.triggers),
    row("Artifacts", routes.artifacts.list(filter), artifacts.data?.total, artifacts.data?.artifacts),
    ...(seesMemories
      ? [row("Memories", routes.memories.list(filter), memories.data?.total, memories.data?.memories)]
      : []),
    row("Files", routes.files.list(filter), files.data?.total, files.data?.files),
    row(
      "Connections",
      routes.connections.list(filter),
      connections.data?.total,
      connections.data?.connections,
    ),
    row("Wallets", routes.wallets.list(filter), wallets.data?.total, wallets.data?.wallets),
    row("Swaps", routes.swaps.list(filter), swaps.data?.total, swaps.data?.swaps),
    row("Orders", routes.trading.list(filter), orders.data?.total, orders.data?.orders),
    row(
      "Approvals",
      routes.approvals.list({ ...filter, status: "any" }),
      approvals.data?.total,
      approvals.data?.approvals,
    ),
    row("Webhooks", routes.webhooks.list(filter), webhooks.data?.total, webhooks.data?.webhooks),
  ];
  const asked = [
    keys,
    runs,
    workflows,
    triggers,
    artifacts,
    memories,
    files,
    connections,
    wallets,
    swaps,
    orders,
    approvals,
    webhooks,
  ];
  const error = asked.find((query) => query.error)?.error;

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
